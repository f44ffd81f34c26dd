/** Every protocol's credential, its refusal, and policies. */
import { describe, expect, it } from "vitest";
import { accounts, type Instance, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const admin = { authorization: "Bearer first-token-0001" };
const basicHeader = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

async function createAccount(
  instance: Instance,
  id: string,
  policies: unknown[],
  isAdmin = false,
): Promise<void> {
  const account = {
    id,
    tokens: [`token-of-${id}`],
    apiKeys: [`api-key-of-${id}`],
    policies,
    admin: isAdmin,
  };
  expect(
    (await instance.send("POST", "/_medley/credentials", { headers: admin, body: { accounts: [account] } }))
      .status,
  ).toBe(201);
}

onBothDatabases(
  "credentials",
  (instance) => {
    it("plain: an API key in its header", async () => {
      expect((await instance().apiKey("x-vendor-key", "GET", "/sample-key/notes")).status).toBe(200);
      const wrong: Record<string, string>[] = [{}, { "x-vendor-key": "wrong" }, { "x-vendor-key": "" }];
      for (const headers of wrong) {
        const refused = await instance().send("GET", "/sample-key/notes", { headers });
        expect([refused.status, refused.body.error.code]).toEqual([401, "Unauthorized"]);
      }
    });
    it("plain: a bearer token, with a challenge when it is missing", async () => {
      expect((await instance().bearer("GET", "/sample-bearer/v1/notes")).status).toBe(200);
      const refused = await instance().send("GET", "/sample-bearer/v1/notes");
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="medley"',
      ]);
      expect(
        (
          await instance().send("GET", "/sample-bearer/v1/notes", {
            headers: { authorization: "Bearer nonsense" },
          })
        ).status,
      ).toBe(401);
    });
    it("plain: HTTP Basic", async () => {
      expect(
        (
          await instance().send("GET", "/sample-basic/notes", {
            headers: basicHeader("first:first-password"),
          })
        ).status,
      ).toBe(200);
      for (const text of ["first:wrong-password", "nobody:first-password", "first", ":"]) {
        const refused = await instance().send("GET", "/sample-basic/notes", { headers: basicHeader(text) });
        expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
          401,
          'Basic realm="medley"',
        ]);
      }
    });
    it("resource-manager style: bearer, a required version, {error:{code,message}}", async () => {
      expect((await instance().bearer("GET", "/sample-arm/notes?api-version=1")).status).toBe(200);
      const unversioned = await instance().bearer("GET", "/sample-arm/notes");
      expect([unversioned.status, unversioned.body.error.code]).toEqual([400, "MissingApiVersionParameter"]);
      const anonymous = await instance().send("GET", "/sample-arm/notes?api-version=1");
      expect([anonymous.status, anonymous.body.error.code]).toEqual([401, "AuthenticationFailed"]);
      expect(anonymous.headers.get("x-ms-request-id")).toBeTruthy();
      await instance().bearer("PUT", "/sample-arm/notes/twice?api-version=1", { body: { text: "x" } });
      const conflict = await instance().bearer("PUT", "/sample-arm/notes/twice?api-version=1", {
        body: { text: "x" },
      });
      expect(conflict.body.error).toMatchObject({ code: "NoteExists", target: "id" });
    });
    it("googleapis style: {error:{code,message,status}}", async () => {
      const anonymous = await instance().send("GET", "/sample-google/notes");
      expect(anonymous.body.error).toMatchObject({ code: 401, status: "UNAUTHENTICATED" });
      const bad = await instance().bearer("GET", "/sample-google/notes?size=0");
      expect(bad.body.error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
    });
    it("signed: verified with an official signer, named refusals", async () => {
      const put = await instance().signed("sample", "PUT", "/sample-signed/notes/signed%2Fone?b=2&a=1&a=0", {
        body: { text: "x" },
      });
      expect(put.status).toBe(201);
      expect(put.body.id).toBe("signed/one");
      expect(put.headers.get("x-amzn-requestid")).toBeTruthy();
      const unsigned = await instance().send("GET", "/sample-signed/notes");
      expect([unsigned.status, unsigned.headers.get("x-amzn-errortype")]).toEqual([
        403,
        "MissingAuthenticationTokenException",
      ]);
      expect(unsigned.body.Message).toBeTypeOf("string");
      const wrongService = await instance().signed("other", "GET", "/sample-signed/notes");
      expect([wrongService.status, wrongService.headers.get("x-amzn-errortype")]).toEqual([
        403,
        "InvalidSignatureException",
      ]);
      const invalid = await instance().signed("sample", "GET", "/sample-signed/notes?size=x");
      expect([invalid.status, invalid.headers.get("x-amzn-errortype")]).toEqual([400, "ValidationException"]);
    });
    it("makes credentials of each kind, shows the secret once, and revokes them at once", async () => {
      const create = async (body: unknown) =>
        (await instance().send("POST", "/_medley/credentials", { headers: admin, body })).body.credential;
      const token = await create({ kind: "token", scopes: ["sample-bearer:List*"] });
      const asToken = { authorization: `Bearer ${token.token}` };
      expect((await instance().send("GET", "/sample-bearer/v1/notes", { headers: asToken })).status).toBe(
        200,
      );
      expect((await instance().send("GET", "/sample-bearer/v1/notes/x", { headers: asToken })).status).toBe(
        403,
      );
      const listed = await instance().send("GET", "/_medley/credentials", { headers: admin });
      expect(listed.text).not.toContain(token.token);
      expect(listed.text).not.toContain(accounts.first.accessKeys[0]!.secret);
      expect(
        (await instance().send("DELETE", `/_medley/credentials?id=${token.id}`, { headers: admin })).status,
      ).toBe(204);
      expect((await instance().send("GET", "/sample-bearer/v1/notes", { headers: asToken })).status).toBe(
        401,
      );
      const user = await create({ kind: "basic", username: "made-here" });
      expect(
        (
          await instance().send("GET", "/sample-basic/notes", {
            headers: basicHeader(`${user.username}:${user.password}`),
          })
        ).status,
      ).toBe(200);
      expect(
        (
          await instance().send("POST", "/_medley/credentials", {
            headers: admin,
            body: { kind: "basic", username: "made-here" },
          })
        ).status,
      ).toBe(409);
      const key = await create({ kind: "apiKey" });
      expect(
        (await instance().send("GET", "/sample-key/notes", { headers: { "x-vendor-key": key.apiKey } }))
          .status,
      ).toBe(200);
    });
    it("lets a credential expire on the clock", async () => {
      const { body } = await instance().send("POST", "/_medley/credentials", {
        headers: admin,
        body: { kind: "token", expiresIn: "2h" },
      });
      const headers = { authorization: `Bearer ${body.credential.token}` };
      expect((await instance().send("GET", "/sample-bearer/v1/notes", { headers })).status).toBe(200);
      await instance().clock.advance("3h");
      expect((await instance().send("GET", "/sample-bearer/v1/notes", { headers })).status).toBe(401);
    });
    describe("policies", () => {
      it("an admin account needs none for the admin interface, but no more than that", async () => {
        await createAccount(instance(), "666666666661", [], true);
        const headers = { authorization: "Bearer token-of-666666666661" };
        expect((await instance().send("GET", "/_medley/clock", { headers })).status).toBe(200);
        expect((await instance().send("GET", "/sample-bearer/v1/notes", { headers })).status).toBe(403);
        const denied = [{ effect: "Deny", actions: ["medley:*"], resources: ["*"] }];
        await createAccount(instance(), "666666666662", denied, true);
        const others = { authorization: "Bearer token-of-666666666662" };
        expect((await instance().send("GET", "/_medley/clock", { headers: others })).status).toBe(403);
      });
      it("allow by action and resource; deny wins; nothing said means no", async () => {
        await createAccount(instance(), "333333333333", [
          { effect: "Allow", actions: ["sample-bearer:*"], resources: ["*"] },
          { effect: "Deny", actions: ["sample-bearer:PutNote"], resources: ["note/locked-*"] },
        ]);
        await createAccount(instance(), "444444444444", []);
        const as = (id: string) => ({ authorization: `Bearer token-of-${id}` });
        expect(
          (
            await instance().send("PUT", "/sample-bearer/v1/notes/free", {
              headers: as("333333333333"),
              body: { text: "x" },
            })
          ).status,
        ).toBe(201);
        const denied = await instance().send("PUT", "/sample-bearer/v1/notes/locked-1", {
          headers: as("333333333333"),
          body: { text: "x" },
        });
        expect([denied.status, denied.body.error.code]).toEqual([403, "Forbidden"]);
        expect(denied.body.error.message).toContain("sample-bearer:PutNote on note/locked-1");
        expect(
          (await instance().send("GET", "/sample-bearer/v1/notes", { headers: as("444444444444") })).status,
        ).toBe(403);
      });
    });
  },
  options,
);
