/** Pages and their tokens: what was made for a list is read by it alone, and nothing that is forged opens. */
import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { PageTokens } from "./page-tokens.ts";
import { type PageRequest, Pages } from "./pages.ts";

const key = createSecretKey(randomBytes(32));
const tokens = new PageTokens(key);
const scope = { account: "a", region: "r", operation: "notes.list", filter: { kind: "x", tag: ["y"] } };
const pagesOf = ({ account, region, operation }: Partial<typeof scope> = {}) =>
  new Pages(tokens, {
    account: account ?? scope.account,
    request: { region: region ?? scope.region, operation: operation ?? scope.operation },
  });
const rows = ["a", "b", "c", "d", "e"];
const read = (request: Partial<PageRequest>, pages = pagesOf()) =>
  pages.of(
    { size: 2, token: undefined, filter: scope.filter, ...request },
    (row: string) => [row],
    async (after, limit) => rows.filter((row) => row > (after?.[0] ?? "")).slice(0, limit),
  );

it.each(["base64url", "hex"] as const)("opens its own tokens, in %s", (encoding) => {
  const token = tokens.seal(scope, ["ä", 7], encoding);
  expect(tokens.open(scope, token, encoding)).toEqual(["ä", 7]);
  expect(new PageTokens(key).open(scope, token, encoding)).toEqual(["ä", 7]);
  expect(new PageTokens(createSecretKey(randomBytes(32))).open(scope, token, encoding)).toBeUndefined();
});
it.each(["base64url", "hex"] as const)(
  "opens none with one character changed, added or left out, in %s",
  (encoding) => {
    const token = tokens.seal(scope, ["some", 7], encoding);
    for (let at = 0; at < token.length; at += 1)
      for (const letter of "AQg0f-_=+ é\0") {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        if (changed !== token) expect(tokens.open(scope, changed, encoding)).toBeUndefined();
        expect(tokens.open(scope, token.slice(0, at) + letter + token.slice(at), encoding)).toBeUndefined();
        expect(tokens.open(scope, token.slice(0, at) + token.slice(at + 1), encoding)).toBeUndefined();
      }
  },
);
it("takes filters for the same whatever the order of their members", () => {
  const token = tokens.seal(scope, ["a"]);
  expect(tokens.open({ ...scope, filter: { tag: ["y"], kind: "x", none: undefined } }, token)).toEqual(["a"]);
});
it.each([
  { account: "b" },
  { region: "s" },
  { operation: "boxes.list" },
  { filter: { kind: "x" } },
  { filter: { kind: "x", tag: ["z"] } },
])("opens none for %j", (other) => {
  expect(tokens.open({ ...scope, ...other }, tokens.seal(scope, ["a"]))).toBeUndefined();
});
it("opens none that bears the public mark of former releases", () => {
  const body = '["a"]';
  const mark = createHmac("sha256", "medley-cursor").update("notes\0").update(body).digest("base64url");
  const forged = Buffer.from(mark.slice(0, 8) + body).toString("base64url");
  expect(tokens.open(scope, forged)).toBeUndefined();
});

it("reads every row once, and has a next page only where a row is left over", async () => {
  const seen: (readonly string[])[] = [];
  let token: string | undefined;
  do {
    const page = await read({ token });
    seen.push(page.rows);
    token = page.nextToken;
  } while (token !== undefined);
  expect(seen).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  expect(await read({ size: 5 })).toEqual({ rows });
});
it("begins anew with an empty token", async () => {
  expect((await read({ token: "" })).rows).toEqual(["a", "b"]);
});
it("refuses what does not open in the service's own words", async () => {
  const { nextToken: token } = await read({});
  const invalid = (message: string) => new Error(`our own: ${message}`);
  await expect(read({ token }, pagesOf({ account: "b" }))).rejects.toThrow("not valid");
  await expect(read({ token: `${token}x`, invalid })).rejects.toThrow(
    "our own: The page token is not valid.",
  );
});
it("goes on from where a list says it ended, and keeps what else it says", async () => {
  const request = { token: undefined, filter: {} };
  const part = await pagesOf().from(request, async () => ({ found: 3, next: ["c"] as const }));
  expect(part).toEqual({ found: 3, nextToken: expect.any(String) });
  const after = await pagesOf().from(
    { ...request, token: part.nextToken },
    async (last: readonly [string] | undefined) => ({ last, next: undefined }),
  );
  expect(after).toEqual({ last: ["c"] });
});
