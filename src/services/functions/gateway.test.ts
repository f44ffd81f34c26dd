/** Requests of strangers, proxies and broken clients to a function's address. */
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { defineService, provide } from "../../kernel/operation/index.ts";
import { bearer, plain } from "../../kernel/protocols/index.ts";
import { accessTokens } from "../../ports/access-tokens.ts";

const ECHO = `exports.echo = (request, response) => {
  if (request.path === "/much") {
    const part = Buffer.alloc(1 << 20, "a");
    const more = () => { while (!response.destroyed) if (!response.write(part)) return response.once("drain", more); };
    return more();
  }
  if (request.path === "/cookies") {
    response.setHeader("set-cookie", [
      "own=1; Path=/", "medley_console=planted; Path=/_medley", " medley_console =x", "=medley_console=x", "medley_console",
      "__Host-identity_session=x; Secure; Path=/", "Identity_form=x",
    ]);
    response.setHeader("clear-site-data", '"*"');
    response.setHeader("service-worker-allowed", "/");
    response.setHeader("strict-transport-security", "max-age=1000");
    response.setHeader("alt-svc", 'h2="elsewhere:443"');
    return response.end("ok");
  }
  response.json({ url: request.url, protocol: request.protocol, headers: request.headers, size: request.rawBody.length });
};`;

const SIGNED = "head.claims.signature";
/** Simulates the identity service, whose signed tokens are valid in every service. */
const signing = defineService({
  name: "signing",
  title: "Signing",
  summary: "Knows one signed token.",
  mount: "/signing",
  protocol: plain({ scheme: bearer }),
  operations: [],
  provides: [
    provide(accessTokens, () => ({
      findPrincipal: async (_context: unknown, token: string) =>
        token === SIGNED
          ? { account: accounts.first.id, name: "ann", credentialKind: "token" as const, admin: false }
          : undefined,
    })),
  ],
});

onBothDatabases(
  "a function's address",
  (instance) => {
    const functions = new Functions(instance);
    let path: string;
    let slug: string;
    beforeAll(async () => {
      path = new URL(
        await functions.running("echo", {
          source: ECHO,
          service: { timeoutSeconds: 600, maxInstanceCount: 1 },
        }),
      ).pathname;
      slug = path.slice(path.lastIndexOf("/") + 1);
    });
    const open = (text: string): { socket: Socket; heard: () => string; isClosed: () => boolean } => {
      let heard = "";
      let isClosed = false;
      const socket = connect(Number(new URL(instance().url).port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (part) => {
        heard += part;
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        isClosed = true;
      });
      return { socket, heard: () => heard, isClosed: () => isClosed };
    };
    /** Until the other side closes. */
    const exchange = async (text: string): Promise<string> => {
      const { heard, isClosed } = open(text);
      await eventually(isClosed, "the end of the connection");
      return heard();
    };
    const get = (address: string, host = "x", more = ""): Promise<string> =>
      exchange(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
    const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

    it("is a page of nobody's where a browser opens it under this host's name, and its own under its own", async () => {
      const browser = "Accept: text/html,*/*;q=0.8\r\n";
      const policies = async (answer: Promise<string>) =>
        (await answer).match(/content-security-policy: [^\r]*/gi) ?? [];
      expect(await policies(get(path, "localhost", browser))).toEqual([
        expect.stringMatching(/: sandbox allow-scripts (?!.*allow-same-origin)/),
      ]);
      expect(await policies(get(path, "localhost", "Accept: */*\r\n"))).toEqual([]);
      expect(await policies(get("/", `${slug}.functions.localhost`, browser))).toEqual([]);
    });

    describe("a function, which may be a stranger's,", () => {
      const headersOf = async (address: string, more: string) =>
        bodyOf(await get(address, "localhost", more)).headers as Record<string, string>;
      const basic = (username: string) => `Basic ${Buffer.from(`${username}:guessed`).toString("base64")}`;
      it("hears no credential that is good here, and every other as it was sent", async () => {
        const heard = async (authorization: string) =>
          (await headersOf(path, `Authorization: ${authorization}\r\n`)).authorization;
        expect(await heard(`Bearer ${accounts.first.tokens[0]}`)).toBeUndefined();
        expect(await heard(`bearer  ${accounts.second.tokens[0]}`)).toBeUndefined();
        expect(await heard(basic("first"))).toBeUndefined();
        expect(await heard("Bearer its-own-secret")).toBe("Bearer its-own-secret");
        expect(await heard(basic("its-own-user"))).toBe(basic("its-own-user"));
      });
      it("hears what a signed token says, without its signature", async () => {
        const { authorization } = await headersOf(path, `Authorization: Bearer ${SIGNED}\r\n`);
        expect(authorization).toBe("Bearer head.claims.SIGNATURE_REMOVED_BY_MEDLEY");
      });
      it("hears no cookie of this server's", async () => {
        const cookies = "own=1; medley_console=secret; __Host-identity_session=secret; other=2";
        expect((await headersOf(path, `Cookie: ${cookies}\r\n`)).cookie).toBe("own=1; other=2");
        expect((await headersOf(path, "Cookie: medley_console=secret\r\n")).cookie).toBeUndefined();
      });
      it("sets no cookie of this server's, and says nothing about the whole host", async () => {
        const answer = await get(`${path}/cookies`, "localhost");
        expect(answer.match(/^set-cookie: .*$/gim)).toEqual(["set-cookie: own=1; Path=/"]);
        for (const name of [
          "clear-site-data",
          "service-worker-allowed",
          "strict-transport-security",
          "alt-svc",
        ])
          expect(answer.toLowerCase()).not.toContain(`${name}:`);
      });
    });

    it("that is internal only answers this machine, and looks like nothing to every other", async () => {
      const within = new URL(
        await functions.running("within", {
          source: "exports.within = (q, s) => s.send('inside');",
          service: { ingressSettings: "ALLOW_INTERNAL_ONLY" },
        }),
      ).pathname;
      expect(await get(within)).toMatch(/^HTTP\/1.1 200 [\s\S]*inside$/);
      const statusFrom = async (address: string) =>
        Number((await get(within, "x", `X-Forwarded-For: ${address}\r\n`)).slice(9, 12));
      for (const address of ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"])
        expect([address, await statusFrom(address)]).toEqual([address, 200]);
      for (const address of ["128.0.0.1", "126.255.255.255", "::2", "10.0.0.1", "::ffff:203.0.113.9"])
        expect([address, await statusFrom(address)]).toEqual([address, 404]);
      const outside = await get(within, "x", "X-Forwarded-For: 203.0.113.9\r\n");
      expect(outside).toMatch(/^HTTP\/1.1 404 /);
      expect(outside).not.toContain("inside");
      const owner = `Authorization: Bearer ${accounts.first.tokens[0]}\r\nX-Forwarded-For: 203.0.113.9\r\n`;
      expect(await get(within, "x", owner)).toMatch(/^HTTP\/1.1 404 /);
    });

    describe("refuses", () => {
      it.each(["a b", "a/b", "a@b", "a?b", "["])("a Host header that is none: %s", async (host) => {
        expect(await get(path, host)).toMatch(/^HTTP\/1.1 400 [\s\S]*does not name a host/);
      });
      it("an address that is too long, before anything runs", async () => {
        expect(await get(`${path}/${"a".repeat(20_000)}`)).toMatch(/^HTTP\/1.1 414 [\s\S]*longer than/);
      });
      it("headers that are too large", async () => {
        expect(await get(path, "x", `X-Much: ${"a".repeat(70_000)}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
      });
      it("an address that is no path", async () => {
        const host = `${slug}.functions.localhost`;
        expect(await exchange(`OPTIONS * HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
          /^HTTP\/1.1 400 /,
        );
      });
      it("names that only look like a function's host", async () => {
        for (const host of [`${slug}.functions.localhost.example.org`, `a.${slug}.functions.localhost`])
          expect(await get("/", host)).not.toContain('"url"');
        for (const host of [`${slug}.functions.localhost`, `${slug.toUpperCase()}.Functions.localhost:80`])
          expect(bodyOf(await get("/x", host)).url).toBe("/x");
      });
      it("bodies whose length is said in two ways", async () => {
        for (const lengths of [
          "Content-Length: 5\r\nTransfer-Encoding: chunked",
          "Content-Length: 5\r\nContent-Length: 6",
          "Transfer-Encoding: chunked, identity",
        ])
          expect(
            await exchange(
              `POST ${path} HTTP/1.1\r\nHost: x\r\n${lengths}\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n`,
            ),
          ).toMatch(/^HTTP\/1.1 400 (?![\s\S]*HTTP\/1.1)/);
      });
      it("a large body that nobody wants, with an answer that arrives", async () => {
        const { socket, heard, isClosed } = open(
          "POST /functions/run/nobody HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n",
        );
        socket.once("connect", () => socket.write(Buffer.alloc(4_000_000)));
        await eventually(isClosed, "the end of the connection");
        expect(heard()).toMatch(/^HTTP\/1.1 404 /);
      });
    });

    describe("hands on", () => {
      it("as much of a head as it lets in", async () => {
        const long = "a".repeat(40_000);
        expect(bodyOf(await get(path, "x", `X-Long: ${long}\r\n`)).headers["x-long"]).toBe(long);
      });
      it("nothing that a caller says in our name", async () => {
        const said =
          "X-Forwarded-Proto: https\r\nFunction-Execution-Id: mine\r\nX-Medley-Check: 1\r\nConnection: x-own\r\nX-Own: 1\r\n";
        const { headers, protocol } = bodyOf(await get(path, "x", said));
        expect(protocol).toBe("http");
        expect(headers).not.toHaveProperty("x-medley-check");
        expect(headers).not.toHaveProperty("x-own");
        expect(headers["x-forwarded-proto"]).toBe("http");
        expect(headers["function-execution-id"]).toMatch(/^[0-9a-f-]{36}$/);
      });
      it("a body that waits to be asked for", async () => {
        const { socket, heard, isClosed } = open(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
        );
        await eventually(() => heard().startsWith("HTTP/1.1 100 Continue\r\n\r\n"), "being told to go on");
        socket.write("hello");
        await eventually(isClosed, "the answer");
        expect(heard()).toContain('"size":5');
      });
      it("an upgrade as the plain request that it also is", async () => {
        expect(await get(path, "x", "Upgrade: websocket\r\n")).toMatch(/^HTTP\/1.1 200 /);
      });
    });

    it("callers whom nobody let in are not told to send their body", async () => {
      const answer = await exchange(
        "POST /functions/run/nobody HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
      );
      expect(answer).toMatch(/^HTTP\/1.1 404 /);
    });
    it("whoever stops sending in the middle of a body gives its place back", async () => {
      const { heard, isClosed } = open(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`);
      await eventually(isClosed, "the end of the connection");
      expect(heard()).toMatch(/^HTTP\/1.1 408 /);
      expect(await get(path)).toMatch(/^HTTP\/1.1 200 /);
    });
    it("whoever does not read an answer loses the connection, and the function is free again", async () => {
      const { socket } = open(`GET ${path}/much HTTP/1.1\r\nHost: x\r\n\r\n`);
      socket.pause();
      const isBusy = async (): Promise<boolean> => {
        const { body } = await instance().bearer("GET", "/_medley/views/functions");
        const { columns, rows } = body.views.find(({ title }: { title: string }) =>
          title.startsWith("Instances"),
        );
        return rows[0][columns.indexOf("Busy")] > 0;
      };
      await eventually(isBusy, "a busy process");
      await eventually(async () => !(await isBusy()), "a free process");
      socket.destroy();
    });
  },
  {
    services: ["functions"],
    extraServices: [signing],
    writeTimeoutSeconds: 1,
    trustedProxies: ["127.0.0.1/32"],
  } as object,
);
