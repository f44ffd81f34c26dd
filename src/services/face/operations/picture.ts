/** Bytes of a picture from the request body or from a URL. */
import { OutboundError } from "#kernel/outbound";
import { errors } from "../errors.ts";
import type { FaceContext } from "../state.ts";

/** As declared by `ImageBody`. */
export type SentPicture = { readonly url: string } | Uint8Array;

/** Possible errors of reading a picture. */
export const PICTURE_ERRORS = [
  errors.badArgument,
  errors.invalidUrl,
  errors.invalidImage,
  errors.invalidImageSize,
];

const BYTES_MAX = 6 * 1024 * 1024;
const FETCH_MS_MAX = 20_000;

/** Waits for another server, so it must run outside of a transaction. */
export async function pictureBytesOf(sent: SentPicture, context: FaceContext): Promise<Uint8Array> {
  if (sent instanceof Uint8Array) return sent;
  const { url } = sent;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw errors.invalidUrl("Invalid image URL: an http or https address is needed.");
  const { status, body } = await context.outbound
    .request({ method: "GET", url, responseBytesMax: BYTES_MAX, timeoutMs: FETCH_MS_MAX })
    .catch(explain);
  if (status < 200 || status > 299)
    throw errors.invalidUrl(
      `Invalid image URL or error downloading from target server: it answered ${status}.`,
    );
  return new Uint8Array(body);
}
function explain(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === "tooLarge")
    throw errors.invalidImageSize("Image size is too big: a picture has at most 6 MB.");
  throw errors.invalidUrl(`Invalid image URL or error downloading from target server: ${error.message}`);
}
