/** Reads the text of a flag, a variable or a file. Each throws a ConfigError that says what is expected. */
import { isIP } from "node:net";
import { readPostgresAddress } from "../db/postgres-address.ts";
import { readObjectsAddress } from "../objects/address.ts";
import { ConfigError } from "./setting.ts";

type Reader = (text: string) => unknown;
export const asText: Reader = (text) => text;
export const asList: Reader = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
export const asNumber: Reader = (text) => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new ConfigError(`"${text}" is not a number`);
  return value;
};
export const asWhole =
  (min: number, max: number): Reader =>
  (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new ConfigError(`"${text}" is not a whole number from ${min} to ${max}`);
    return value;
  };
export const asPort = asWhole(0, 65_535);
export const asDatabase: Reader = (text) => {
  readPostgresAddress(text);
  return text;
};
export const asObjects: Reader = (text) => {
  readObjectsAddress(text);
  return text;
};
export const asLogLevel: Reader = (text) => {
  if (["silent", "error", "info", "debug"].includes(text)) return text;
  throw new ConfigError(`"${text}" is none of silent, error, info and debug`);
};
export const asLineFormat: Reader = (text) => {
  if (["text", "json"].includes(text)) return text;
  throw new ConfigError(`"${text}" is neither text nor json`);
};
export const asFlag: Reader = (text) => {
  if (["1", "true", "yes"].includes(text)) return true;
  if (["0", "false", "no"].includes(text)) return false;
  throw new ConfigError(`"${text}" is neither true nor false`);
};
export const asOrigin: Reader = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isPlain)
    throw new ConfigError(`"${text}" is not an address such as https://id.example.org, without a path`);
  return url.origin;
};
export const asNetworks: Reader = (text) => {
  const networks = asList(text) as readonly string[];
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined)
    throw new ConfigError(`"${wrong}" is neither an address nor a network such as 10.0.0.0/8`);
  return networks;
};
function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 4 ? 32 : 128;
  const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && rest.length === 0 && isLength;
}
