/** Who may speak to a store's own endpoint: signatures, tokens, versions, and what hostile callers try. */
import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import type { AccessKey, SignedOptions } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "access to a store's own endpoint",
  (instance) => {
    let primary: AccessKey;
    let readOnly: AccessKey;
    let other: AccessKey;
    const { call, keys } = support.dataStage(instance);
    beforeAll(async () => {
      [primary, , readOnly] = keys();
      [other] = await support.keysOfNewStore(instance(), "other-store");
    });

    it.each([
      ["no authorization", {}, 401],
      ["an unknown scheme", { authorization: "Basic abc" }, 401],
      ["a scheme without parameters", { authorization: "HMAC-SHA256 " }, 401],
      ["a token of nobody", { authorization: "Bearer nonsense" }, 401],
    ])("refuses %s", async (_what, headers, status) => {
      const answer = await instance().send("GET", `/configuration/wire-store/kv?${support.DATA_VERSION}`, {
        headers: headers as Record<string, string>,
      });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("www-authenticate")).toContain("HMAC-SHA256");
      expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
      expect(answer.body).toMatchObject({ status, title: "Unauthorized" });
    });

    it("says what is wrong with a signature", async () => {
      const problem = async (options: SignedOptions & { key?: AccessKey }) => {
        const answer = await call("GET", `/kv?${support.DATA_VERSION}`, options);
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
      expect(
        await problem({ tamper: { path: `/configuration/wire-store/kv?key=x&${support.DATA_VERSION}` } }),
      ).toBe("Invalid Signature");
      const forged = await call("PUT", `/kv/forged?${support.DATA_VERSION}`, {
        body: { value: "1" },
        tamper: { body: '{"value":"2"}' },
      });
      expect(forged.status).toBe(401);
      expect((await call("GET", `/kv/forged?${support.DATA_VERSION}`)).status).toBe(404);
    });

    it("accepts the Date header and commas between the parts of the authorization", async () => {
      const url = new URL(`${instance().url}/configuration/wire-store/kv?${support.DATA_VERSION}`);
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
      expect((await call("GET", `/kv?${support.DATA_VERSION}`)).status).toBe(200);
    });

    it("lets read-only keys read", async () => {
      expect((await call("GET", `/keys?${support.DATA_VERSION}`, { key: readOnly })).status).toBe(200);
      const refused = await call("PUT", `/kv/x?${support.DATA_VERSION}`, {
        key: readOnly,
        body: { value: "1" },
      });
      expect([refused.status, refused.body.type]).toEqual([403, "https://azconfig.io/errors/forbidden"]);
    });

    it("gives bearer tokens of the store's account what its policies allow, and nothing to others", async () => {
      const path = `/configuration/wire-store/kv?${support.DATA_VERSION}`;
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

    it("is declared to need a version at every address", async () => {
      const { body } = await instance().bearer("GET", "/_medley/openapi/configuration-data");
      const operations = Object.values<Record<string, { operationId: string; parameters: any[] }>>(body.paths)
        .flatMap((path) => Object.values(path))
        .filter(({ operationId }) => operationId !== undefined);
      const lacking = operations.filter(
        ({ parameters }) => !parameters.some(({ name, required }) => name === "api-version" && required),
      );
      expect([operations.length > 10, lacking]).toEqual([true, []]);
    });

    it.each(["1.0", "2022-11-01-preview", "2023-10-01", "2024-09-01"])(
      "knows version %s",
      async (version) => {
        expect((await call("GET", `/labels?api-version=${version}`)).status).toBe(200);
      },
    );
  },
  { services: support.configurationServices },
);
