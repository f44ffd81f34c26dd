/** Checks of every request before its content is read. */
import type { IncomingMessage } from "node:http";
import { kernelErrors } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";

const URL_BYTES_MAX = 16 * 1024;
const HEADER_BYTES_MAX = 64 * 1024;

/** Refuses what a proxy in between might read differently. */
export function refuseAmbiguous({ headers, rawHeaders }: IncomingMessage): void {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked")
    throw kernelErrors.invalidInput("The only transfer coding that is understood here is chunked.");
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) throw kernelErrors.invalidInput("The request has more than one Host header.");
}

export function checkSizes(
  { url = "/", rawHeaders }: IncomingMessage,
  rawPath: string,
  { acceptsNul, urlBytesMax = URL_BYTES_MAX }: Pick<Operation, "acceptsNul" | "urlBytesMax">,
): void {
  if ((acceptsNul ? rawPath : url).includes("%00"))
    throw kernelErrors.invalidInput("The address holds the NUL character.");
  if (url.length > urlBytesMax)
    throw kernelErrors.urlTooLong(`The address is longer than the ${urlBytesMax} bytes allowed here.`);
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  if (size > HEADER_BYTES_MAX)
    throw kernelErrors.headersTooLarge(`The headers are larger than ${HEADER_BYTES_MAX} bytes.`);
}
