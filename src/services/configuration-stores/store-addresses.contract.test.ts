/** Where a store answers: below a path and on a host of its own, and what clients sign at either. */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:tls";
import { beforeAll, expect, it } from "vitest";
import { type AccessKey, signedHeaders } from "../../../tests/support/configuration-data.ts";
import {
  configurationServices,
  keysOfNewStore,
  storePath,
  VERSION,
  withVersion,
} from "../../../tests/support/configuration-stores.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

type Answered = { status: number; headers: Record<string, string | string[] | undefined>; body: any };
type Asked = { readonly url: URL; readonly headers: Record<string, string>; readonly body?: string };

onBothDatabases(
  "addresses of a store",
  (instance) => {
    let key: AccessKey;
    let other: AccessKey;
    beforeAll(async () => {
      [key] = await keysOfNewStore(instance(), "lantern");
      [other] = await keysOfNewStore(instance(), "candle");
    });
    const port = () => new URL(instance().url).port;

    /** At the instance, whatever host the address names: not every machine resolves names below localhost. */
    const send = (method: string, { url, headers, body }: Asked): Promise<Answered> =>
      new Promise((resolve, reject) => {
        const at = `${instance().url}${url.pathname}${url.search}`;
        const sent = request(at, { method, headers: { ...headers, host: url.host } }, (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part) => parts.push(part));
          answer.on("end", () => {
            const text = Buffer.concat(parts).toString("utf8");
            const { statusCode: status = 0, headers } = answer;
            resolve({ status, headers, body: text === "" ? undefined : JSON.parse(text) });
          });
        });
        sent.on("error", reject).end(body);
      });
    const usual = (method: string, url: URL, body = "", by = key) =>
      send(method, { url, body, headers: signedHeaders(by, method, url, body, new Date()) });

    /** As the public Python client does: the date is spelt its own way, the path begins behind the endpoint. */
    function python(method: string, endpoint: string, tail: string, signedHost: string, body = "", by = key) {
      const at = new Date();
      const [, day, month, year, time] = at.toUTCString().split(" ");
      const date = `${month}, ${day} ${year} ${time}.123456 GMT`;
      const hash = createHash("sha256").update(body).digest("base64");
      const signature = createHmac("sha256", Buffer.from(by.value, "base64"))
        .update(`${method}\n${tail}\n${date};${signedHost};${hash}`)
        .digest("base64");
      return send(method, {
        url: new URL(`${endpoint}${tail}`),
        body,
        headers: {
          "x-ms-date": date,
          "x-ms-content-sha256": hash,
          authorization: `HMAC-SHA256 Credential=${by.id}&SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
          ...(body !== "" && { "content-type": "application/vnd.microsoft.appconfig.kv+json" }),
        },
      });
    }
    const endpoint = () => `${instance().url}/configuration/lantern`;

    it.each([
      ["with the endpoint's path behind the host", (url: string) => url.slice("http://".length)],
      ["with the host alone", (url: string) => new URL(url).host],
    ])("accepts what the Python client signs: paths below the endpoint, %s", async (_how, hostOf) => {
      const host = hostOf(endpoint());
      const made = await python("PUT", endpoint(), "/kv/a?label=x&api-version=1.0", host, '{"value":"1"}');
      expect([made.status, made.body.value]).toEqual([200, "1"]);
      const read = await python("GET", endpoint(), "/kv?key=%2A&label=x&api-version=1.0", host);
      expect([read.status, read.body.items.length]).toEqual([200, 1]);
      const byHost = `http://configuration.localhost:${port()}/lantern`;
      expect((await python("GET", byHost, "/kv?api-version=1.0", hostOf(byHost))).status).toBe(200);
    });

    it("refuses such a signature for another path, another host, another store and a wrong secret", async () => {
      const host = endpoint().slice("http://".length);
      const read = "/kv/a?api-version=1.0";
      const refused = [
        await python("GET", endpoint(), read, `${host}/more`),
        await python("GET", endpoint(), read, host.replace("lantern", "candle")),
        await python("GET", endpoint(), read, "elsewhere/configuration/lantern"),
        await python("GET", endpoint().replace("lantern", "candle"), read, host),
        await python("GET", endpoint(), read, host, "", other),
        await python("GET", endpoint(), read, host, "", { id: key.id, value: other.value }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    });

    const ownHost = (tail: string, store = "lantern") =>
      new URL(`http://${store}.configuration.localhost:${port()}${tail}`);

    it("answers on a host of the store's own, without a path before its resources", async () => {
      const value = '{"value":"by host"}';
      expect((await usual("PUT", ownHost("/kv/by%2Fhost?api-version=1.0"), value)).status).toBe(200);
      const read = await usual("GET", ownHost("/kv/by/host?api-version=1.0", "LANTERN"));
      expect([read.status, read.body.value]).toEqual([200, "by host"]);
      const below = await usual("GET", new URL(`${endpoint()}/kv/by%2Fhost?api-version=1.0`));
      expect(below.body.value).toBe("by host");
      const token = { authorization: `Bearer ${accounts.first.tokens[0]}` };
      expect((await send("GET", { url: ownHost("/kv?api-version=1.0"), headers: token })).status).toBe(200);
    });

    it("refuses other stores' keys there, and knows no host deeper below", async () => {
      expect((await usual("GET", ownHost("/kv?api-version=1.0"), "", other)).status).toBe(401);
      expect((await usual("GET", ownHost("/kv?api-version=1.0", "nowhere"))).status).toBe(401);
      expect((await usual("GET", ownHost("/kv?api-version=1.0", "a.lantern"))).status).toBe(404);
      expect((await usual("GET", new URL(`http://a.braille.localhost:${port()}/tables`))).status).toBe(404);
    });

    it("links from there to there", async () => {
      for (let number = 0; number <= 100; number++)
        await usual("PUT", ownHost(`/kv/page${number}?api-version=1.0`), '{"value":""}');
      const page = await usual("GET", ownHost("/kv?key=page*&api-version=1.0"));
      const [, next = ""] = /^<(.*)>; rel="next"$/.exec(String(page.headers.link)) ?? [];
      const rest = await usual("GET", new URL(next, ownHost("/")));
      expect([rest.status, rest.body.items.length]).toEqual([200, 1]);
      const filters = '{"filters":[{"key":"page*"}]}';
      const made = await usual("PUT", ownHost("/snapshots/all?api-version=2023-10-01"), filters);
      expect(made.headers["operation-location"]).toBe(
        ownHost("/operations?snapshot=all&api-version=2023-10-01").href,
      );
      expect(made.headers.link).toBe('</kv?snapshot=all&api-version=2023-10-01>; rel="items"');
    });

    it("names the address that fits the one its owner used", async () => {
      const token = { authorization: `Bearer ${accounts.first.tokens[0]}` };
      const beside = `http://management.localhost:${port()}`;
      const path = storePath("lantern", { root: "" });
      const shown = await send("GET", { url: new URL(withVersion(`${beside}${path}`)), headers: token });
      expect(shown.body.properties.endpoint).toBe(ownHost("").origin);
      const keys = await send("POST", {
        url: new URL(`${beside}${path}/ListKeys?${VERSION}`),
        headers: token,
      });
      expect(keys.body.value[0].connectionString).toBe(
        `Endpoint=${ownHost("").origin};Id=${key.id};Secret=${key.value}`,
      );
      const usually = await instance().bearer("GET", withVersion(storePath("lantern")));
      expect(usually.body.properties.endpoint).toBe(endpoint());
    });

    it("is named by the certificate, with the host of every store", async () => {
      const { tlsUrl = "", certificateAuthorityPem: ca } = instance().medley;
      const socket = connect({
        port: Number(new URL(tlsUrl).port),
        servername: "lantern.configuration.localhost",
        ca,
      });
      await once(socket, "secureConnect");
      expect(socket.authorized).toBe(true);
      socket.destroy();
    });
  },
  { services: [...configurationServices, "braille"], tls: true },
);
