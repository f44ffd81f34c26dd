/** A store's own endpoint over HTTP: key-values, lists, conditions and locks. */
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "a store's own endpoint",
  (instance) => {
    const { call, put, keys } = support.dataStage(instance);

    it("answers a key-value with its headers and media type, in the words it was asked in", async () => {
      const written = await call("PUT", `/kv/wire?label=l&${support.DATA_VERSION}`, {
        body: { value: "v", content_type: "text/plain", tags: { t: "1" } },
      });
      expect(written.status).toBe(200);
      expect(written.body).toEqual({
        etag: expect.stringMatching(/^[\w-]{22}$/),
        key: "wire",
        label: "l",
        content_type: "text/plain",
        value: "v",
        tags: { t: "1" },
        locked: false,
        last_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
      });
      expect(written.headers.get("content-type")).toBe(
        "application/vnd.microsoft.appconfig.kv+json; charset=utf-8",
      );
      expect(written.headers.get("etag")).toBe(`"${written.body.etag}"`);
      expect(written.headers.get("last-modified")).toMatch(/ GMT$/);
      expect(written.headers.get("sync-token")).toMatch(/^[\w-]+=[A-Za-z0-9+/]+=*;sn=\d+$/);
      expect(written.headers.get("x-ms-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      const neutral = await instance().bearer(
        "GET",
        `/configuration/WIRE-store/kv/wire?label=l&${support.DATA_VERSION}`,
      );
      expect(neutral.headers.get("content-type")).toBe(
        "application/vnd.vendor.appconfig.kv+json; charset=utf-8",
      );
      expect(neutral.headers.get("x-vendor-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(neutral.body).toEqual(written.body);
      const head = await call("HEAD", `/kv/wire?label=l&${support.DATA_VERSION}`);
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", `"${written.body.etag}"`]);
    });

    it("takes the rest of the path for the key, however its slashes are written", async () => {
      const written = await call("PUT", `/kv/a/b%2Fc//d?label=l&${support.DATA_VERSION}`, {
        body: { value: "v" },
      });
      expect([written.status, written.body.key]).toEqual([200, "a/b/c//d"]);
      for (const path of ["a%2Fb%2Fc%2F%2Fd", "a/b/c//d"]) {
        expect((await call("GET", `/kv/${path}?label=l&${support.DATA_VERSION}`)).body.key).toBe(
          written.body.key,
        );
        expect((await call("PUT", `/locks/${path}?label=l&${support.DATA_VERSION}`)).status).toBe(200);
        expect((await call("DELETE", `/locks/${path}?label=l&${support.DATA_VERSION}`)).status).toBe(200);
      }
      expect((await call("DELETE", `/kv/a/b/c//d?label=l&${support.DATA_VERSION}`)).status).toBe(200);
    });

    it("changes nothing, not even the entity tag, when the same is set again", async () => {
      const first = await put("same", "1");
      expect((await put("same", "1")).body.etag).toBe(first.body.etag);
      expect((await put("same", "2")).body.etag).not.toBe(first.body.etag);
    });

    it("takes a key-value without a value, and an empty label for none", async () => {
      const empty = await call("PUT", `/kv/nothing?label=&${support.DATA_VERSION}`, { body: {} });
      expect(empty.body).toMatchObject({ value: null, content_type: null, label: null, tags: {} });
      expect((await call("GET", `/kv/nothing?label=%00&${support.DATA_VERSION}`)).body.etag).toBe(
        empty.body.etag,
      );
    });

    it.each([
      ["key=a*b", "key", "key(1): Invalid character"],
      ["key=*a", "key", "key(0): Invalid character"],
      ["key=a*,b", "key", "key(1): Invalid character"],
      ["key=a%5C", "key", "key(1): Invalid character"],
      ["key=a,b,c,d,e,f", "key", "key: At most 5 values are allowed"],
      ["label=%00x", "label", "label(0): Invalid character"],
      ["tags=novalue", "tags", "tags: A tag filter is written name=value"],
      [
        "tags=a=1&tags=b=1&tags=c=1&tags=d=1&tags=e=1&tags=f=1",
        "tags",
        "tags: At most 5 tag filters are allowed",
      ],
      ["$select=key,nothing", "$select", 'There is no field "nothing"'],
      ["after=nonsense", "after", "after: Invalid continuation token"],
    ])("refuses to list with ?%s", async (query, name, detail) => {
      const answer = await call("GET", `/kv?${query}&${support.DATA_VERSION}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        type: "https://azconfig.io/errors/invalid-argument",
        title: `Invalid request parameter '${name}'`,
        name,
        detail,
        status: 400,
      });
    });

    it("refuses a date that is none", async () => {
      expect(
        (await call("GET", `/kv?${support.DATA_VERSION}`, { headers: { "accept-datetime": "soon" } })).status,
      ).toBe(400);
    });

    it.each(["a%25b", "%2E", "%2E%2E", "a%01b"])("refuses the key %s", async (key) => {
      const answer = await instance().bearer(
        "PUT",
        `/configuration/wire-store/kv/${key}?${support.DATA_VERSION}`,
        {
          body: { value: "1" },
        },
      );
      expect([400, 404, 405]).toContain(answer.status);
    });

    it.each([
      ["a value that is too long", { value: "x".repeat(10_241) }, 413],
      ["a number for a value", { value: 1 }, 400],
      ["a NUL in a value", { value: "a\u0000b" }, 400],
      ["tags that are no text", { value: "1", tags: { a: {} } }, 400],
      ["a tag that is too long", { value: "1", tags: { a: "x".repeat(257) } }, 400],
    ])("refuses %s", async (_what, body, status) => {
      const answer = await call("PUT", `/kv/refused?${support.DATA_VERSION}`, { body });
      expect(answer.status).toBe(status);
      expect(answer.body.type).toMatch(/^https:\/\/azconfig.io\/errors\//);
      expect((await call("GET", `/kv/refused?${support.DATA_VERSION}`)).status).toBe(404);
    });

    it("keeps what it is given exactly, and refuses half characters", async () => {
      const odd = "\u{1f600} \t\r\n \u2028 \ufffe";
      expect((await put("odd", odd)).status).toBe(200);
      expect((await call("GET", `/kv/odd?${support.DATA_VERSION}`)).body.value).toBe(odd);
      for (const [name, body] of [
        ["value", { value: "a\ud800" }],
        ["content_type", { content_type: "\udc00" }],
        ["tags", { tags: { "\ud800": "1" } }],
        ["tags", { tags: { a: "\ud800" } }],
      ] as const) {
        const refused = await call("PUT", `/kv/half?${support.DATA_VERSION}`, { body });
        expect([refused.status, refused.body.name]).toEqual([400, name]);
      }
    });
    it("takes keys and labels as long as an index can hold, whatever they are made of", async () => {
      const random = (length: number) => randomBytes(length).toString("base64url").slice(0, length);
      const wide = Array.from(randomBytes(256), (byte) => String.fromCharCode(0x4e00 + byte * 64)).join("");
      const [key, label] = [random(900), random(900)];
      expect((await put(key, "1", `&label=${label}`)).body).toMatchObject({ key, label });
      expect((await put(key, "2", `&label=${label}`)).status).toBe(200);
      const taken = await call("PUT", `/snapshots/${encodeURIComponent(wide)}?${support.DATA_VERSION}`, {
        body: { filters: [{ key, label }] },
      });
      expect([taken.status, taken.body.items_count]).toEqual([201, 1]);
      expect((await call("DELETE", `/kv/${key}?label=${label}&${support.DATA_VERSION}`)).status).toBe(200);
      for (const [long, more] of [
        [`${key}x`, label],
        [random(3000), ""],
        ["k", random(3000)],
      ]) {
        const refused = await put(long ?? "", "1", `&label=${more}`);
        expect([refused.status, refused.body.name]).toEqual([400, "key"]);
      }
    });

    it("pages with links that lead on, in the header from the root and in the body from the endpoint", async () => {
      for (let i = 0; i < 120; i += 1) await put(`page:${String(i).padStart(3, "0")}`, "x", "&label=p");
      const first = await call("GET", `/kv?key=page:*&label=p&$select=key&${support.DATA_VERSION}`);
      expect(first.body.items).toHaveLength(100);
      expect(first.body.items[0]).toEqual({ key: "page:000" });
      expect(first.body["@nextLink"]).toMatch(
        /^\/kv\?api-version=2023-11-01&key=page%3A\*&label=p&%?.*after=/,
      );
      const second = await call("GET", first.body["@nextLink"]);
      expect(second.body.items.map(({ key }: { key: string }) => key)[0]).toBe("page:100");
      expect(second.body["@nextLink"]).toBeUndefined();
      const [, link] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link")!)!;
      expect((await sendSigned(instance(), keys()[0], "GET", link!)).body.items).toHaveLength(20);
      await put("page:0005", "between", "&label=p");
      expect((await call("GET", first.body["@nextLink"])).body.items).toHaveLength(20);
    });

    it("lists what was listed before as it now is, whole or in part", async () => {
      const items = async (more = "") =>
        (await call("GET", `/kv?key=again-*&${support.DATA_VERSION}${more}`)).body.items as Record<
          string,
          unknown
        >[];
      await put("again-1", "one");
      await put("again-2", "two", "&label=l");
      const first = await items();
      expect(await items()).toEqual(first);
      expect(first).toMatchObject([
        { key: "again-1", label: null, value: "one", locked: false },
        { key: "again-2", label: "l", value: "two" },
      ]);
      expect(await items("&$select=key,value")).toEqual([
        { key: "again-1", value: "one" },
        { key: "again-2", value: "two" },
      ]);
      await put("again-1", "changed");
      await call("PUT", `/locks/again-1?${support.DATA_VERSION}`);
      await call("DELETE", `/kv/again-2?${support.DATA_VERSION}&label=l`);
      await put("again-3", "three");
      expect(await items()).toMatchObject([
        { key: "again-1", value: "changed", locked: true },
        { key: "again-3", value: "three", locked: false },
      ]);
      await call("DELETE", `/locks/again-1?${support.DATA_VERSION}`);
      const [unlocked] = await items();
      expect(unlocked).toEqual((await call("GET", `/kv/again-1?${support.DATA_VERSION}`)).body);
    });
    it("lists keys and labels once each, now and then", async () => {
      const store = "names-store";
      const [key] = await support.keysOfNewStore(instance(), store);
      const at = (path: string, headers = {}) =>
        sendSigned(instance(), key!, "GET", `/configuration/${store}${path}`, { headers });
      for (const [name, label] of [
        ["a", ""],
        ["a", "x"],
        ["b", "x"],
        ["b", "y"],
      ] as const)
        await sendSigned(
          instance(),
          key!,
          "PUT",
          `/configuration/${store}/kv/${name}?label=${label}&${support.DATA_VERSION}`,
          {
            body: { value: "1" },
          },
        );
      const names = async (path: string, headers = {}) =>
        (await at(path, headers)).body.items.map(({ name }: { name: string | null }) => name);
      expect(await names(`/keys?${support.DATA_VERSION}`)).toEqual(["a", "b"]);
      expect(await names(`/keys?name=b*&${support.DATA_VERSION}`)).toEqual(["b"]);
      expect(await names(`/labels?${support.DATA_VERSION}`)).toEqual([null, "x", "y"]);
      expect(await names(`/labels?name=%00&${support.DATA_VERSION}`)).toEqual([null]);
      expect(await names(`/labels?name=y,z&${support.DATA_VERSION}`)).toEqual(["y"]);
      await instance().clock.advance("1h");
      const before = new Date(instance().clock.nowMs() - 60_000).toUTCString();
      await sendSigned(
        instance(),
        key!,
        "DELETE",
        `/configuration/${store}/kv/b?label=y&${support.DATA_VERSION}`,
      );
      expect(await names(`/labels?${support.DATA_VERSION}`)).toEqual([null, "x"]);
      const past = await at(`/labels?${support.DATA_VERSION}`, { "accept-datetime": before });
      expect(past.body.items).toHaveLength(3);
      expect(past.headers.get("memento-datetime")).toBe(before);
      expect(
        await names(`/keys?${support.DATA_VERSION}`, { "accept-datetime": "Sat, 12 May 2018 02:10:00 GMT" }),
      ).toEqual([]);
    });

    it("lets exactly one of many first writers win, and loses no conditional change", async () => {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          put("race", String(i), "", { "if-none-match": "*" }).then(({ status }) => status),
        ),
      );
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
      await put("counter", "0");
      const count = async (): Promise<void> => {
        const { body } = await call("GET", `/kv/counter?${support.DATA_VERSION}`);
        const next = await put("counter", String(Number(body.value) + 1), "", {
          "if-match": `"${body.etag}"`,
        });
        if (next.status === 412) return count();
        expect(next.status).toBe(200);
      };
      await Promise.all(Array.from({ length: 12 }, count));
      expect((await call("GET", `/kv/counter?${support.DATA_VERSION}`)).body.value).toBe("12");
      const revisions = await call("GET", `/revisions?key=counter&${support.DATA_VERSION}`);
      expect(revisions.body.items.map(({ value }: { value: string }) => Number(value))).toEqual(
        Array.from({ length: 13 }, (_, i) => 12 - i),
      );
    });

    it("refuses conditions that do not hold", async () => {
      const missing = await put("absent", "1", "", { "if-match": "*" });
      expect([missing.status, missing.body.type]).toEqual([
        412,
        "https://azconfig.io/errors/precondition-failed",
      ]);
      const { body } = await put("there", "1");
      const get = (headers: Record<string, string>) =>
        call("GET", `/kv/there?${support.DATA_VERSION}`, { headers });
      expect((await get({ "if-match": `"${body.etag}"` })).status).toBe(200);
      expect((await get({ "if-match": '"other"' })).status).toBe(412);
      const unchanged = await get({ "if-none-match": `"x", "${body.etag}"` });
      expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
      expect(
        (await call("DELETE", `/kv/there?${support.DATA_VERSION}`, { headers: { "if-none-match": "*" } }))
          .status,
      ).toBe(412);
      expect((await call("PUT", `/locks/nowhere?${support.DATA_VERSION}`)).status).toBe(404);
      expect(
        (await call("PUT", `/locks/there?${support.DATA_VERSION}`, { headers: { "if-match": '"x"' } }))
          .status,
      ).toBe(412);
    });

    it("makes a lock a revision of its own, and says who is locked", async () => {
      await put("bolted", "1");
      const locked = await call("PUT", `/locks/bolted?${support.DATA_VERSION}`);
      expect((await call("PUT", `/locks/bolted?${support.DATA_VERSION}`)).body.etag).toBe(locked.body.etag);
      const refused = await put("bolted", "2");
      expect(refused.body).toEqual({
        type: "https://azconfig.io/errors/key-locked",
        title: "Modifing key 'bolted' is not allowed",
        name: "bolted",
        detail: "The key is read-only. To allow modification unlock it first.",
        status: 409,
      });
      await call("DELETE", `/locks/bolted?${support.DATA_VERSION}`);
      const { items } = (await call("GET", `/revisions?key=bolted&${support.DATA_VERSION}`)).body;
      expect(items.map(({ locked: is }: { locked: boolean }) => is)).toEqual([false, true, false]);
    });
  },
  { services: support.configurationServices },
);
