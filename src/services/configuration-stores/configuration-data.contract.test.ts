/** A store's own endpoint over HTTP: what clients do not show, and what hostile callers try. */
import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type AccessKey, type SignedOptions, sendSigned } from "../../../tests/support/configuration-data.ts";
import { type Instance, onBothDatabases } from "../../../tests/support/medley.ts";

const services = ["configuration-stores", "configuration-data", "resource-manager"];
const V = "api-version=2023-11-01";

async function makeStore(instance: Instance, name: string, sku = "Standard"): Promise<AccessKey[]> {
  const path = `/management/subscriptions/data/resourceGroups/g/providers/Vendor.AppConfiguration/configurationStores/${name}`;
  await instance.bearer("PUT", `${path}?api-version=2019-11-01-preview`, {
    body: { location: "westus", sku: { name: sku } },
  });
  const { body } = await instance.bearer("POST", `${path}/ListKeys?api-version=2019-11-01-preview`);
  return body.value;
}

onBothDatabases(
  "a store's own endpoint",
  (instance) => {
    let primary: AccessKey;
    let readOnly: AccessKey;
    let other: AccessKey;
    beforeAll(async () => {
      [primary, , readOnly] = (await makeStore(instance(), "wire-store")) as [
        AccessKey,
        AccessKey,
        AccessKey,
      ];
      [other] = (await makeStore(instance(), "other-store")) as [AccessKey];
    });
    const call = (method: string, path: string, options: SignedOptions & { key?: AccessKey } = {}) =>
      sendSigned(instance(), options.key ?? primary, method, `/configuration/wire-store${path}`, options);
    const put = (key: string, value: string, query = "", headers: Record<string, string> = {}) =>
      call("PUT", `/kv/${encodeURIComponent(key)}?${V}${query}`, { body: { value }, headers });

    it("answers a key-value with its headers and media type, in the words it was asked in", async () => {
      const written = await call("PUT", `/kv/wire?label=l&${V}`, {
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
      const neutral = await instance().bearer("GET", `/configuration/WIRE-store/kv/wire?label=l&${V}`);
      expect(neutral.headers.get("content-type")).toBe(
        "application/vnd.vendor.appconfig.kv+json; charset=utf-8",
      );
      expect(neutral.headers.get("x-vendor-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(neutral.body).toEqual(written.body);
      const head = await call("HEAD", `/kv/wire?label=l&${V}`);
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", `"${written.body.etag}"`]);
    });

    it("changes nothing, not even the entity tag, when the same is set again", async () => {
      const first = await put("same", "1");
      expect((await put("same", "1")).body.etag).toBe(first.body.etag);
      expect((await put("same", "2")).body.etag).not.toBe(first.body.etag);
    });

    it("takes a key-value without a value, and an empty label for none", async () => {
      const empty = await call("PUT", `/kv/nothing?label=&${V}`, { body: {} });
      expect(empty.body).toMatchObject({ value: null, content_type: null, label: null, tags: {} });
      expect((await call("GET", `/kv/nothing?label=%00&${V}`)).body.etag).toBe(empty.body.etag);
    });

    it.each([
      ["no authorization", {}, 401],
      ["an unknown scheme", { authorization: "Basic abc" }, 401],
      ["a scheme without parameters", { authorization: "HMAC-SHA256 " }, 401],
      ["a token of nobody", { authorization: "Bearer nonsense" }, 401],
    ])("refuses %s", async (_what, headers, status) => {
      const answer = await instance().send("GET", `/configuration/wire-store/kv?${V}`, {
        headers: headers as Record<string, string>,
      });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("www-authenticate")).toContain("HMAC-SHA256");
      expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
      expect(answer.body).toMatchObject({ status, title: "Unauthorized" });
    });

    it("says what is wrong with a signature", async () => {
      const problem = async (options: SignedOptions & { key?: AccessKey }) => {
        const answer = await call("GET", `/kv?${V}`, options);
        expect(answer.status).toBe(401);
        return /error_description="([^"]*)"/.exec(answer.headers.get("www-authenticate") ?? "")?.[1];
      };
      const auth = (text: string) => ({ tamper: { authorization: `HMAC-SHA256 ${text}` } });
      const minutes = (count: number) => new Date(Date.now() + count * 60_000);
      expect(await problem({ date: minutes(-16) })).toBe("The access token has expired");
      expect(await problem({ date: minutes(16) })).toBe("The access token has expired");
      expect(await problem({ headers: { "x-ms-date": "yesterday" } })).toBe("Invalid access token date");
      expect(await problem(auth("SignedHeaders=host&Signature=x"))).toBe("Credential is required");
      expect(await problem(auth("Credential=x&Signature=x"))).toBe("SignedHeaders is required");
      expect(await problem(auth("Credential=x&SignedHeaders=host"))).toBe("Signature is required");
      expect(await problem(auth("Credential=x&SignedHeaders=host&Signature=x"))).toBe(
        "x-ms-date is required as a signed header",
      );
      expect(
        await problem(auth("Credential=x&SignedHeaders=x-ms-date;host;x-ms-content-sha256;x-no&Signature=x")),
      ).toBe("Signed request header 'x-no' is not provided");
      expect(await problem({ key: { id: "nobody", value: primary.value } })).toBe("Invalid Credential");
      expect(await problem({ key: other })).toBe("Invalid Credential");
      expect(await problem({ key: { id: primary.id, value: other.value } })).toBe("Invalid Signature");
      expect(await problem({ tamper: { path: `/configuration/wire-store/kv?key=x&${V}` } })).toBe(
        "Invalid Signature",
      );
      const forged = await call("PUT", `/kv/forged?${V}`, {
        body: { value: "1" },
        tamper: { body: '{"value":"2"}' },
      });
      expect(forged.status).toBe(401);
      expect((await call("GET", `/kv/forged?${V}`)).status).toBe(404);
    });

    it("accepts the Date header and commas between the parts of the authorization", async () => {
      const url = new URL(`${instance().url}/configuration/wire-store/kv?${V}`);
      const date = new Date().toUTCString();
      const hash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
      const signature = createHmac("sha256", Buffer.from(primary.value, "base64"))
        .update(`GET\n${url.pathname}${url.search}\n${date};${url.host};${hash}`)
        .digest("base64");
      const answer = await instance().send("GET", url.href, {
        headers: {
          date,
          "x-ms-content-sha256": hash,
          authorization: `HMAC-SHA256 Credential=${primary.id}, SignedHeaders=Date;Host;X-MS-Content-SHA256, Signature=${signature}`,
        },
      });
      expect(answer.status).toBe(200);
    });

    it("does not let time travel disturb signatures", async () => {
      await instance().clock.advance("3h");
      expect((await call("GET", `/kv?${V}`)).status).toBe(200);
    });

    it("lets read-only keys read", async () => {
      expect((await call("GET", `/keys?${V}`, { key: readOnly })).status).toBe(200);
      const refused = await call("PUT", `/kv/x?${V}`, { key: readOnly, body: { value: "1" } });
      expect([refused.status, refused.body.type]).toEqual([403, "https://azconfig.io/errors/forbidden"]);
    });

    it("gives bearer tokens of the store's account what its policies allow, and nothing to others", async () => {
      const path = `/configuration/wire-store/kv?${V}`;
      expect((await instance().bearer("GET", path)).status).toBe(200);
      expect((await instance().bearer("GET", path, { as: "second" })).status).toBe(403);
      expect((await instance().bearer("GET", path.replace("wire-store", "no-store"))).status).toBe(403);
    });

    it.each([
      ["", "An API version is required, but was not specified."],
      ["api-version=0.9", "The API version '0.9' is not supported"],
      ["api-version=2020-01-01", "is not supported"],
      ["api-version=1.0&api-version=2023-11-01", "At most, only a single API version"],
    ])("refuses the version in ?%s", async (query, detail) => {
      const answer = await call("GET", `/kv?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        title: "Invalid request parameter 'api-version'",
        name: "api-version",
      });
      expect(answer.body.detail).toContain(detail);
    });
    it.each(["1.0", "2022-11-01-preview", "2023-10-01", "2024-09-01"])(
      "knows version %s",
      async (version) => {
        expect((await call("GET", `/labels?api-version=${version}`)).status).toBe(200);
      },
    );

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
      const answer = await call("GET", `/kv?${query}&${V}`);
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
      expect((await call("GET", `/kv?${V}`, { headers: { "accept-datetime": "soon" } })).status).toBe(400);
    });

    it.each(["a%25b", "%2E", "%2E%2E", "a%01b"])("refuses the key %s", async (key) => {
      const answer = await instance().bearer("PUT", `/configuration/wire-store/kv/${key}?${V}`, {
        body: { value: "1" },
      });
      expect([400, 404, 405]).toContain(answer.status);
    });
    it.each([
      ["a value that is too long", { value: "x".repeat(10_241) }, 413],
      ["a number for a value", { value: 1 }, 400],
      ["a NUL in a value", { value: "a\u0000b" }, 400],
      ["tags that are no text", { value: "1", tags: { a: {} } }, 400],
      ["a tag that is too long", { value: "1", tags: { a: "x".repeat(257) } }, 400],
    ])("refuses %s", async (_what, body, status) => {
      const answer = await call("PUT", `/kv/refused?${V}`, { body });
      expect(answer.status).toBe(status);
      expect(answer.body.type).toMatch(/^https:\/\/azconfig.io\/errors\//);
      expect((await call("GET", `/kv/refused?${V}`)).status).toBe(404);
    });

    it("pages with links that lead on, in the header from the root and in the body from the endpoint", async () => {
      for (let i = 0; i < 120; i += 1) await put(`page:${String(i).padStart(3, "0")}`, "x", "&label=p");
      const first = await call("GET", `/kv?key=page:*&label=p&$select=key&${V}`);
      expect(first.body.items).toHaveLength(100);
      expect(first.body.items[0]).toEqual({ key: "page:000" });
      expect(first.body["@nextLink"]).toMatch(
        /^\/kv\?api-version=2023-11-01&key=page%3A\*&label=p&%?.*after=/,
      );
      const second = await call("GET", first.body["@nextLink"]);
      expect(second.body.items.map(({ key }: { key: string }) => key)[0]).toBe("page:100");
      expect(second.body["@nextLink"]).toBeUndefined();
      const [, link] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link")!)!;
      expect((await sendSigned(instance(), primary, "GET", link!)).body.items).toHaveLength(20);
      await put("page:0005", "between", "&label=p");
      expect((await call("GET", first.body["@nextLink"])).body.items).toHaveLength(20);
    });

    it("lists keys and labels once each, now and then", async () => {
      const store = "names-store";
      const [key] = await makeStore(instance(), store);
      const at = (path: string, headers = {}) =>
        sendSigned(instance(), key!, "GET", `/configuration/${store}${path}`, { headers });
      for (const [name, label] of [
        ["a", ""],
        ["a", "x"],
        ["b", "x"],
        ["b", "y"],
      ] as const)
        await sendSigned(instance(), key!, "PUT", `/configuration/${store}/kv/${name}?label=${label}&${V}`, {
          body: { value: "1" },
        });
      const names = async (path: string, headers = {}) =>
        (await at(path, headers)).body.items.map(({ name }: { name: string | null }) => name);
      expect(await names(`/keys?${V}`)).toEqual(["a", "b"]);
      expect(await names(`/keys?name=b*&${V}`)).toEqual(["b"]);
      expect(await names(`/labels?${V}`)).toEqual([null, "x", "y"]);
      expect(await names(`/labels?name=%00&${V}`)).toEqual([null]);
      expect(await names(`/labels?name=y,z&${V}`)).toEqual(["y"]);
      await instance().clock.advance("1h");
      const before = new Date(instance().clock.nowMs() - 60_000).toUTCString();
      await sendSigned(instance(), key!, "DELETE", `/configuration/${store}/kv/b?label=y&${V}`);
      expect(await names(`/labels?${V}`)).toEqual([null, "x"]);
      const past = await at(`/labels?${V}`, { "accept-datetime": before });
      expect(past.body.items).toHaveLength(3);
      expect(past.headers.get("memento-datetime")).toBe(before);
      expect(await names(`/keys?${V}`, { "accept-datetime": "Sat, 12 May 2018 02:10:00 GMT" })).toEqual([]);
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
        const { body } = await call("GET", `/kv/counter?${V}`);
        const next = await put("counter", String(Number(body.value) + 1), "", {
          "if-match": `"${body.etag}"`,
        });
        if (next.status === 412) return count();
        expect(next.status).toBe(200);
      };
      await Promise.all(Array.from({ length: 12 }, count));
      expect((await call("GET", `/kv/counter?${V}`)).body.value).toBe("12");
      const revisions = await call("GET", `/revisions?key=counter&${V}`);
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
      const get = (headers: Record<string, string>) => call("GET", `/kv/there?${V}`, { headers });
      expect((await get({ "if-match": `"${body.etag}"` })).status).toBe(200);
      expect((await get({ "if-match": '"other"' })).status).toBe(412);
      const unchanged = await get({ "if-none-match": `"x", "${body.etag}"` });
      expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
      expect((await call("DELETE", `/kv/there?${V}`, { headers: { "if-none-match": "*" } })).status).toBe(
        412,
      );
      expect((await call("PUT", `/locks/nowhere?${V}`)).status).toBe(404);
      expect((await call("PUT", `/locks/there?${V}`, { headers: { "if-match": '"x"' } })).status).toBe(412);
    });

    it("makes a lock a revision of its own, and says who is locked", async () => {
      await put("bolted", "1");
      const locked = await call("PUT", `/locks/bolted?${V}`);
      expect((await call("PUT", `/locks/bolted?${V}`)).body.etag).toBe(locked.body.etag);
      const refused = await put("bolted", "2");
      expect(refused.body).toEqual({
        type: "https://azconfig.io/errors/key-locked",
        title: "Modifing key 'bolted' is not allowed",
        name: "bolted",
        detail: "The key is read-only. To allow modification unlock it first.",
        status: 409,
      });
      await call("DELETE", `/locks/bolted?${V}`);
      const { items } = (await call("GET", `/revisions?key=bolted&${V}`)).body;
      expect(items.map(({ locked: is }: { locked: boolean }) => is)).toEqual([false, true, false]);
    });

    const snapshot = (name: string, body: unknown) =>
      call("PUT", `/snapshots/${encodeURIComponent(name)}?${V}`, { body });

    it("makes snapshots by durable work that can be asked for", async () => {
      await put("snap:a", "1");
      await put("snap:a", "2", "&label=x");
      const made = await snapshot("release/1", {
        filters: [{ key: "snap:*", label: "*" }],
        composition_type: "key_label",
        tags: { by: "ci" },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        name: "release/1",
        status: "provisioning",
        composition_type: "key_label",
        items_count: 2,
        retention_period: 2_592_000,
        tags: { by: "ci" },
        filters: [{ key: "snap:*", label: "*" }],
      });
      const location = made.headers.get("operation-location")!;
      expect(location).toBe(
        `${instance().url}/configuration/wire-store/operations?snapshot=release%2F1&api-version=2023-11-01`,
      );
      let state = await call("GET", `/operations?snapshot=release%2F1&${V}`);
      for (let i = 0; i < 200 && state.body.status === "Running"; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        state = await call("GET", `/operations?snapshot=release%2F1&${V}`);
      }
      expect(state.body).toEqual({ id: "release/1", status: "Succeeded", error: null });
      const items = await call("GET", `/kv?snapshot=release%2F1&${V}`);
      expect(items.body.items.map(({ value }: { value: string }) => value)).toEqual(["1", "2"]);
      expect((await call("GET", `/kv?snapshot=nothing&${V}`)).body.items).toEqual([]);
      const listed = await call("GET", `/snapshots?name=release*&status=ready&$select=name,status&${V}`);
      expect(listed.body.items).toEqual([{ name: "release/1", status: "ready" }]);
    });

    it("takes a zero character in a snapshot's label for no label", async () => {
      const made = await snapshot("no-label", { filters: [{ key: "snap:*", label: "\0" }] });
      expect(made.body).toMatchObject({ items_count: 1 });
    });

    it("fails a snapshot that is too large, and tells so", async () => {
      const store = "large-store";
      const [key] = await makeStore(instance(), store);
      await Promise.all(
        Array.from({ length: 110 }, (_, i) =>
          sendSigned(instance(), key!, "PUT", `/configuration/${store}/kv/k${i}?${V}`, {
            body: { value: "x".repeat(10_000) },
          }),
        ),
      );
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      expect((await send("PUT", `/snapshots/big?${V}`, { filters: [{ key: "*" }] })).status).toBe(201);
      await instance().clock.advance("1s");
      expect((await send("GET", `/operations?snapshot=big&${V}`)).body).toMatchObject({
        status: "Failed",
        error: { code: "QuotaExceeded" },
      });
      const archived = await send("PATCH", `/snapshots/big?${V}`, { status: "archived" });
      expect([archived.status, archived.body.type]).toEqual([
        409,
        "https://azconfig.io/errors/invalid-state",
      ]);
    });

    it.each([
      ["no filters", { filters: [] }, "filters"],
      ["four filters", { filters: Array.from({ length: 4 }, () => ({ key: "*" })) }, "filters"],
      ["many labels without key_label", { filters: [{ key: "*", label: "a,b" }] }, "filters[0].label"],
      ["a bad key filter", { filters: [{ key: "a*b" }] }, "filters[0].key"],
      ["too short a retention", { filters: [{ key: "*" }], retention_period: 10 }, "retention_period"],
      ["too long a retention", { filters: [{ key: "*" }], retention_period: 9_000_000 }, "retention_period"],
    ])("refuses a snapshot with %s", async (_what, body, name) => {
      const answer = await snapshot("never", body);
      expect([answer.status, answer.body.name]).toEqual([400, name]);
      expect((await call("GET", `/snapshots/never?${V}`)).status).toBe(404);
    });

    it("clears old revisions away", async () => {
      const store = "free-store";
      const [key] = await makeStore(instance(), store, "Free");
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      for (let i = 0; i < 5; i += 1) await send("PUT", `/kv/k?${V}`, { value: String(i) });
      const revisions = async () => (await send("GET", `/revisions?${V}`)).body.items.length;
      expect(await revisions()).toBe(5);
      const answer = await send("PUT", `/snapshots/s?${V}`, {
        filters: [{ key: "*" }],
        retention_period: 864_000,
      });
      expect(answer.status).toBe(400);
      const ran = await instance().clock.advance("8d");
      expect(ran.some(({ name }) => name === "configuration-stores.tidy")).toBe(true);
      expect(await revisions()).toBe(1);
      expect((await send("GET", `/kv/k?${V}`)).body.value).toBe("4");
    });

    it("holds a store to the storage of its tier", async () => {
      const store = "brim-full-store";
      const [key] = await makeStore(instance(), store, "Free");
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      expect((await send("PUT", `/kv/k?${V}`, { value: "1" })).status).toBe(200);
      const state = await instance().bearer("GET", "/_medley/state?service=configuration-stores");
      const overfull = state.text.replace(
        /("name":"brim-full-store"[^\n]*"used_bytes":)\d+/,
        (_, before: string) => `${before}10485761`,
      );
      expect(overfull).not.toBe(state.text);
      const loaded = await instance().bearer("PUT", "/_medley/state", { body: overfull });
      expect(loaded.status).toBe(200);
      const value = "2";
      const full = await send("PUT", `/kv/one-more?${V}`, { value });
      expect(full.status).toBe(429);
      expect(full.headers.get("retry-after-ms")).toBe("1000");
      expect(full.body).toMatchObject({
        type: "https://azconfig.io/errors/too-many-requests",
        title: "Resource utilization has surpassed the assigned quota",
        policy: "Storage",
      });
      expect((await send("GET", `/kv/k?${V}`)).body.value).toBe("1");
      await instance().clock.advance("6h");
      expect((await send("PUT", `/kv/one-more?${V}`, { value })).status).toBe(200);
    });
  },
  { services },
);
