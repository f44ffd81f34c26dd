/** Headers for the backend: the caller's end-to-end headers, and the forwarding headers of the gateway. */
import { HOP_BY_HOP, namedByConnection, type PassingRequest } from "#kernel/operation";
import type { Correlation } from "../domain/index.ts";

/** Headers that only the gateway sets. */
const OUR_OWN: ReadonlySet<string> = new Set([
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "via",
]);

/** Names and values alternate. `handed`: the caller's headers. */
export function requestHeadOf(
  { request, remoteAddress, scheme }: PassingRequest,
  handed: readonly string[],
  {
    host,
    via,
    correlation,
  }: { readonly host: string; readonly via: string; readonly correlation: Correlation },
): string[] {
  const { headers } = request;
  const [marked] = correlation.header ?? [];
  const head = ["host", host];
  for (let index = 0; index < handed.length; index += 2) {
    const name = handed[index] as string;
    const lower = name.toLowerCase();
    if (!OUR_OWN.has(lower) && lower !== marked) head.push(name, handed[index + 1] as string);
  }
  const joined = (before: string | string[] | undefined, own: string): string =>
    before === undefined ? own : `${String(before)}, ${own}`;
  head.push("x-forwarded-for", joined(headers["x-forwarded-for"], remoteAddress));
  head.push("x-forwarded-proto", scheme, "x-forwarded-host", headers.host ?? "");
  head.push("via", joined(headers.via, `1.1 ${via}`));
  if (correlation.header) head.push(...correlation.header);
  return head;
}

/** The backend's headers without hop-by-hop headers. Names and values alternate. */
export function answerHeadOf(texts: readonly string[]): string[] {
  const lower = (index: number): string => (texts[index] as string).toLowerCase();
  const named = texts.flatMap((_name, index) =>
    index % 2 === 0 && lower(index) === "connection"
      ? namedByConnection({ connection: texts[index + 1] ?? "" })
      : [],
  );
  const head: string[] = [];
  for (let index = 0; index < texts.length; index += 2)
    if (!HOP_BY_HOP.has(lower(index)) && !named.includes(lower(index)))
      head.push(texts[index] as string, texts[index + 1] as string);
  return head;
}

/** Adds Content-Length to a complete response if the backend did not send it. */
export function withLength(
  head: readonly string[],
  body: Buffer | undefined,
  hasNoBody: boolean,
): readonly string[] {
  const hasLength = head.some((name, index) => index % 2 === 0 && name.toLowerCase() === "content-length");
  return hasLength || hasNoBody ? head : [...head, "content-length", String(body?.length ?? 0)];
}

/** Method of a CORS preflight request. Undefined for other requests. */
export const preflightMethodOf = ({ method, headers }: PassingRequest["request"]): string | undefined =>
  method === "OPTIONS" ? headers["access-control-request-method"] : undefined;

/** Sets headers, replacing others with the same name. */
export function withHeaders(
  head: readonly string[],
  set: readonly (readonly [string, string])[],
): readonly string[] {
  if (set.length === 0) return head;
  const names = new Set(set.map(([name]) => name.toLowerCase()));
  const kept = head.filter((_text, at) => !names.has((head[at - (at % 2)] ?? "").toLowerCase()));
  return [...kept, ...set.flat()];
}
