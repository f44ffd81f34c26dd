/** The address of a place for large objects: `s3://bucket/prefix`. */
import { ConfigError } from "../config/setting.ts";

export type ObjectsAddress = { readonly bucket: string; readonly prefix: string };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** These characters are signed and sent as they are. */
const SEGMENT = /^[A-Za-z0-9._~-]{1,100}$/;
const PREFIX_LENGTH_MAX = 400;

/** The prefix is empty, or ends with a slash. Throws a ConfigError. */
export function readObjectsAddress(text: string): ObjectsAddress {
  const [scheme, rest] = [text.slice(0, 5), text.slice(5)];
  const [bucket = "", ...segments] = rest.replace(/\/$/, "").split("/");
  const isPlain = segments.every((one) => SEGMENT.test(one) && one !== "." && one !== "..");
  if (scheme !== "s3://" || !BUCKET.test(bucket) || !isPlain || rest.length > PREFIX_LENGTH_MAX)
    throw new ConfigError(`"${text}" is not an address such as s3://bucket/prefix`);
  return { bucket, prefix: segments.map((one) => `${one}/`).join("") };
}
