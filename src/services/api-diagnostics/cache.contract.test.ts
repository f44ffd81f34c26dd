/** The gateway's cache: no caller gets what was made for another. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { sendBytes } from "../../../tests/support/send-bytes.ts";

onBothDatabases("gateway cache", (instance) => {
  const backend = new Backend({
    "/varied": (request, response) => {
      const language = request.headers["accept-language"] ?? "none";
      response.writeHead(200, { vary: "Accept-Encoding, Accept-Language" }).end(language);
    },
    "/packed": (request, response) => {
      const coding = String(request.headers["accept-encoding"] ?? "none");
      response.writeHead(200, { vary: "Accept-Encoding" }).end(coding);
    },
    // With the headers that the query names as JSON.
    "/headers": (request, response) => {
      const { searchParams } = new URL(request.url as string, "http://backend.test");
      response.writeHead(200, JSON.parse(searchParams.get("headers") as string)).end("as asked");
    },
    "/sized": (request, response) => {
      const { searchParams } = new URL(request.url as string, "http://backend.test");
      response.end(Buffer.alloc(Number(searchParams.get("bytes"))));
    },
    "/addressed": (request, response) => void response.end(String(request.headers["x-forwarded-host"])),
    "/never": (_request, response) => void response.writeHead(200, { vary: "*" }).end("never"),
  });
  beforeAll(() => backend.start());
  afterAll(() => backend.stop());

  async function kept(attributes = "", children = "", before = "", after = "") {
    const gateway = newGateway(instance, backend);
    await gateway.api();
    const value = `<policies><inbound>${before}<cache-lookup vary-by-developer="false" vary-by-developer-groups="false"${attributes}>${children}</cache-lookup></inbound><outbound>${after}<cache-store duration="60" /></outbound></policies>`;
    await gateway.put("apis/orders/policies/policy", { format: "rawxml", value });
    return gateway;
  }

  it("answers to a caller's own credentials are kept only if the policy says so", async () => {
    const askedBy = async (gateway: Awaited<ReturnType<typeof kept>>, all: Record<string, string>[]) => {
      const before = backend.asked.length;
      for (const headers of all) await gateway.call("GET", "/orders/1", { headers });
      return backend.asked.length - before;
    };
    for (const name of ["Authorization", "Cookie"]) {
      const callers = ["of=ann", "of=ann", "of=ben"].map((value) => ({ [name]: value }));
      expect(await askedBy(await kept(""), [...callers, {}, {}])).toBe(4);
      expect(await askedBy(await kept(""), [{}, ...callers])).toBe(4);
      expect(await askedBy(await kept(' allow-private-response-caching="true"'), callers)).toBe(1);
      const varied = await kept("", `<vary-by-header>${name.toLowerCase()}</vary-by-header>`);
      expect(await askedBy(varied, [...callers, {}, {}])).toBe(3);
    }
  });

  it("headers that policies add for one caller are not kept for others", async () => {
    const origins = ["https://one.example", "https://two.example"];
    const allowed = origins.map((origin) => `<origin>${origin}</origin>`).join("");
    const cors = `<cors><allowed-origins>${allowed}</allowed-origins></cors>`;
    const limit = `<rate-limit-by-key calls="9" renewal-period="60" counter-key="a" remaining-calls-header-name="X-Left" />`;
    const { call } = await kept("", "", cors + limit);
    const before = backend.asked.length;
    const seen: unknown[] = [];
    for (const origin of [...origins, undefined]) {
      const { headers } = await call("GET", "/orders/1", { headers: origin ? { origin } : {} });
      seen.push([headers.get("access-control-allow-origin"), headers.get("x-left")]);
    }
    expect(seen).toEqual([
      [origins[0], "8"],
      [origins[1], "7"],
      [null, "6"],
    ]);
    expect(backend.asked.length - before).toBe(1);
  });

  it("an answer with the host of one caller is not kept for another", async () => {
    const { name } = await kept();
    const askedAt = (host: string) =>
      sendBytes(
        instance(),
        `GET /gateway/${name}/orders/addressed HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
    expect(await askedAt("hostile.example")).toMatch(/hostile.example$/);
    const before = backend.asked.length;
    expect(await askedAt("localhost")).toMatch(/localhost$/);
    expect(await askedAt("localhost")).toMatch(/localhost$/);
    expect(backend.asked.length - before).toBe(1);
  });

  it("an answer that varies by other headers than the policy is not kept", async () => {
    const texts = async ({ call }: Awaited<ReturnType<typeof kept>>, path: string, name: string) => {
      const seen: string[] = [];
      for (const value of ["one", "two", "one"])
        seen.push((await call("GET", path, { headers: { [name]: value } })).text);
      return seen;
    };
    const plain = await kept();
    expect(await texts(plain, "/orders/varied", "accept-language")).toEqual(["one", "two", "one"]);
    expect(await texts(plain, "/orders/packed", "accept-encoding")).toEqual(["one", "two", "one"]);
    const before = backend.asked.length;
    await plain.call("GET", "/orders/never");
    await plain.call("GET", "/orders/never");
    expect(backend.asked.length - before).toBe(2);
    const varied = await kept("", "<vary-by-header>accept-language</vary-by-header>");
    const asked = backend.asked.length;
    expect(await texts(varied, "/orders/varied", "accept-language")).toEqual(["one", "two", "one"]);
    expect(backend.asked.length - asked).toBe(2);
  });

  /** How often the backend is asked by two equal calls. */
  async function askedTwice(headers: Record<string, string | string[]>, after = ""): Promise<number> {
    const gateway = await kept("", "", "", after);
    const asked = backend.asked.length;
    const path = `/orders/headers?headers=${encodeURIComponent(JSON.stringify(headers))}`;
    for (const _ of [1, 2]) expect((await gateway.call("GET", path)).text).toBe("as asked");
    return backend.asked.length - asked;
  }
  it.each<[Record<string, string | string[]>, number]>([
    [{}, 1],
    [{ "cache-control": "public" }, 1],
    [{ "cache-control": "max-age=1" }, 1],
    [{ "cache-control": 'must-revalidate, x-private="no-store, private"' }, 1],
    [{ "cache-control": "private" }, 2],
    [{ "cache-control": 'PRIVATE="x-a, x-b"' }, 2],
    [{ "cache-control": "no-store" }, 2],
    [{ "cache-control": "public, No-Cache" }, 2],
    [{ "cache-control": ["public", "no-store"] }, 2],
    [{ "cache-control": "max-age=0" }, 2],
    [{ "cache-control": 'max-age="0"' }, 2],
    [{ "cache-control": "max-age=-1" }, 2],
    [{ "cache-control": "max-age=soon" }, 2],
    [{ "cache-control": "s-maxage=0, max-age=60" }, 2],
    [{ "cache-control": "s-maxage=60, max-age=0" }, 1],
    [{ "set-cookie": "session=of-the-first" }, 2],
    [{ expires: "0" }, 2],
    [{ expires: "Thu, 01 Jan 1970 00:00:00 GMT" }, 2],
    [{ date: "Thu, 01 Jan 2026 00:00:00 GMT", expires: "Thu, 01 Jan 2026 00:00:00 GMT" }, 2],
    [{ date: "Thu, 01 Jan 2026 00:00:00 GMT", expires: "Thu, 01 Jan 2026 00:00:01 GMT" }, 1],
    [{ "cache-control": "max-age=60", expires: "0" }, 1],
  ])("two calls that the backend answers with %o ask it %i times", async (headers, times) => {
    expect(await askedTwice(headers)).toBe(times);
  });

  it("a response of up to a mebibyte is kept", async () => {
    const gateway = await kept();
    const askedFor = async (bytes: number) => {
      const asked = backend.asked.length;
      for (const _ of [1, 2])
        expect((await gateway.call("GET", `/orders/sized?bytes=${bytes}`)).bytes).toHaveLength(bytes);
      return backend.asked.length - asked;
    };
    expect([await askedFor(1024 * 1024), await askedFor(1024 * 1024 + 1)]).toEqual([1, 2]);
  });

  it("a policy that removes what the backend says has the response kept", async () => {
    const removed = (name: string) => `<set-header name="${name}" exists-action="delete" />`;
    const headers = { "cache-control": "no-store", "set-cookie": "a=b" };
    expect(await askedTwice(headers, removed("Cache-Control"))).toBe(2);
    expect(await askedTwice(headers, removed("Cache-Control") + removed("Set-Cookie"))).toBe(1);
  });
});
