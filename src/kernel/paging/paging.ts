/** Keyset pages: a cursor names the last row seen, so inserts elsewhere never shift a page. */
import { createHmac } from "node:crypto";
import { kernelErrors } from "../operation/errors.ts";

export type Page<Row> = { readonly rows: readonly Row[]; readonly nextToken?: string };

type CursorPart = string | number;
const MARK_LENGTH = 8;

/** Ties a token to the list it was made for: a token of one list is refused by another. */
const markOf = (list: string, text: string): string =>
  createHmac("sha256", "medley-cursor")
    .update(list)
    .update("\0")
    .update(text)
    .digest("base64url")
    .slice(0, MARK_LENGTH);

export function cursorOf(list: string, key: readonly CursorPart[]): string {
  const text = JSON.stringify(key);
  return Buffer.from(markOf(list, text) + text).toString("base64url");
}

/** Undefined without a token; throws `invalid` (the service's own error, when given) on a token that is not ours. */
export function readCursor(
  list: string,
  token: string | undefined,
  invalid: (message: string) => Error = kernelErrors.invalidInput,
): readonly CursorPart[] | undefined {
  if (token === undefined || token === "") return undefined;
  const text = Buffer.from(token, "base64url").toString();
  const body = text.slice(MARK_LENGTH);
  if (body === "" || markOf(list, body) !== text.slice(0, MARK_LENGTH))
    throw invalid("The page token is not valid.");
  const parts = partsIn(body);
  if (!parts) throw invalid("The page token is not valid.");
  return parts;
}

/** The mark is no secret, so what it marks may still be anything; no database looks for NUL. */
function partsIn(body: string): CursorPart[] | undefined {
  try {
    const parts: unknown = JSON.parse(body);
    const isPart = (part: unknown) =>
      typeof part === "string" ? !part.includes("\0") : typeof part === "number";
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Give it one row more than the page holds; the surplus row tells that there is a next page. */
export function pageOf<Row>(
  list: string,
  rows: readonly Row[],
  size: number,
  key: (row: Row) => readonly CursorPart[],
): Page<Row> {
  const last = rows[size - 1];
  if (rows.length <= size || last === undefined) return { rows };
  return { rows: rows.slice(0, size), nextToken: cursorOf(list, key(last)) };
}
