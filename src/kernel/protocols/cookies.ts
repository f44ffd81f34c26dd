/** Reads the cookies of a request. */

type Headed = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

/** All cookies of one name, in the browser's order: those of the narrower path come first. */
export function cookiesOf({ headers }: Headed, name: string): string[] {
  const header = headers.cookie;
  if (typeof header !== "string") return [];
  return header
    .split(";")
    .map((pair) => [pair, pair.indexOf("=")] as const)
    .filter(([pair, equals]) => equals > 0 && pair.slice(0, equals).trim() === name)
    .map(([pair, equals]) => pair.slice(equals + 1).trim());
}
