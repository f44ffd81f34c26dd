/** Page tokens: opaque, of the letters that clients check for, and good for the very list they were made for. */
import { cursorOf, readCursor } from "#kernel/paging";
import { errors } from "./errors.ts";

/** Hexadecimal, because a plus sign in a query would arrive as a blank. */
export const tokenOf = (list: string, last: string): string =>
  Buffer.from(cursorOf(list, [last]), "base64url").toString("hex");

/** The last name of the page before; empty on the first page. */
export function readToken(list: string, token: string | undefined): string {
  if (token === undefined || token === "") return "";
  const cursor = Buffer.from(token, "hex").toString("base64url");
  if (!/^(?:[0-9a-f]{2})+$/.test(token)) throw errors.badRequest("The page token is not valid.");
  const [last] = readCursor(list, cursor, errors.badRequest) ?? [];
  return String(last ?? "");
}
