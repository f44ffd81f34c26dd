/** Guessing credentials over HTTP: refused after a while in each protocol's words, and nobody else is. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Instance, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const NAME_SECRETS_MAX = 60;
const NETWORK_SECRETS_MAX = 300;

const options = { services: [], extraServices: allSamples, trustedProxies: ["127.0.0.1"] };
const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});

onBothDatabases(
  "guessing",
  (instance) => {
    let network = 0;
    let from: Record<string, string> = {};
    beforeEach(() => {
      network += 1;
      from = { "x-forwarded-for": `203.0.113.${network}` };
    });
    const send = async (path: string, headers: Record<string, string>, where = from) =>
      instance().send("GET", path, { headers: { ...where, ...headers } });
    /** Many at once, so that they are all made within the minute that counts. */
    const guess = async (count: number, one: (index: number) => ReturnType<Instance["send"]>) => {
      const statuses = new Set<number>();
      for (let start = 0; start < count; start += 20) {
        const some = Array.from({ length: Math.min(20, count - start) }, (_, index) => one(start + index));
        for (const { status } of await Promise.all(some)) statuses.add(status);
      }
      return [...statuses];
    };

    it.each([
      ["/sample-key/notes", (text: string) => ({ "x-vendor-key": text }), "first-api-key-0001"],
      [
        "/sample-bearer/v1/notes",
        (text: string) => ({ authorization: `Bearer ${text}` }),
        "first-token-0001",
      ],
    ] as const)(
      "of keys ends, at %s, in 429 for what the guesser's network had not shown before",
      async (path, headersOf, right) => {
        await instance().bearer("POST", "/_medley/state/reset", { body: { service: "sample-key" } });
        expect(await guess(NETWORK_SECRETS_MAX, (index) => send(path, headersOf(`guess-${index}`)))).toEqual([
          401,
        ]);
        const refused = await send(path, headersOf(right));
        expect([refused.status, refused.body.error.code]).toEqual([429, "TooManyRequests"]);
        expect(refused.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
        const arm = await send("/sample-arm/notes?api-version=1", headersOf(right));
        expect([arm.status, arm.body.error.code]).toEqual([429, "TooManyRequests"]);
        const elsewhere = { "x-forwarded-for": "198.51.100.7" };
        expect((await send(path, headersOf(right), elsewhere)).status).toBe(200);
        expect((await send("/sample-key/open", {})).status).toBe(200);
      },
    );
    it("does not lock out what was right lately at the same address", async () => {
      const key = { "x-vendor-key": "second-api-key-0002" };
      const token = { authorization: "Bearer second-token-0002" };
      const password = basic("second", "second-password");
      expect((await send("/sample-key/notes", key)).status).toBe(200);
      expect((await send("/sample-bearer/v1/notes", token)).status).toBe(200);
      expect((await send("/sample-basic/notes", password)).status).toBe(200);
      await guess(NETWORK_SECRETS_MAX, (index) =>
        send("/sample-key/notes", { "x-vendor-key": `wrong-${index}` }),
      );
      await guess(NAME_SECRETS_MAX, (index) => send("/sample-basic/notes", basic("second", `no-${index}`)));
      expect((await send("/sample-key/notes", { "x-vendor-key": "wrong" })).status).toBe(429);
      expect((await send("/sample-basic/notes", basic("second", "no"))).status).toBe(429);
      expect((await send("/sample-key/notes", key)).status).toBe(200);
      expect((await send("/sample-bearer/v1/notes", token)).status).toBe(200);
      expect((await send("/sample-basic/notes", password)).status).toBe(200);
    });
    it("does not begin with a missing credential, or with one wrong key shown again and again", async () => {
      const count = 2 * NETWORK_SECRETS_MAX;
      expect(await guess(count, () => send("/sample-key/notes", {}))).toEqual([401]);
      expect(await guess(count, () => send("/sample-key/notes", { "x-vendor-key": "stale" }))).toEqual([401]);
      expect((await send("/sample-key/notes", { "x-vendor-key": "first-api-key-0001" })).status).toBe(200);
    });
    describe("of passwords", () => {
      it("ends for one name and leaves the others", async () => {
        const path = "/sample-basic/notes";
        expect(await guess(NAME_SECRETS_MAX, (index) => send(path, basic("first", `no-${index}`)))).toEqual([
          401,
        ]);
        expect((await send(path, basic("first", "first-password"))).status).toBe(429);
        expect((await send(path, basic("second", "second-password"))).status).toBe(200);
        const elsewhere = { "x-forwarded-for": "198.51.100.7" };
        expect((await send(path, basic("first", "first-password"), elsewhere)).status).toBe(200);
      });
    });
  },
  options,
);
