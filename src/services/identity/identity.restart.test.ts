import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as oidc from "../../../tests/support/identity-browser.ts";
import { startInstance } from "../../../tests/support/medley.ts";

describe("identity: restart", () => {
  it("keeps clients, keys, sessions, codes and revocations", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-identity-"));
    try {
      const before = await startInstance({ data });
      const { port } = new URL(before.url);
      const client = await oidc.registerClient(before);
      const browser = new oidc.TestBrowser(before);
      const kept = await oidc.obtainTokens(before, client, { browser });
      const revoked = await oidc.obtainTokens(before, client, { browser });
      await before.send("POST", "/identity/revoke", {
        body: new URLSearchParams({
          token: revoked.access_token,
          client_id: client.client_id,
          client_secret: client.client_secret,
        }),
      });
      const { code } = oidc.parametersOf(await browser.travel(oidc.authorizeUrl(client)));
      const keys = (await before.send("GET", "/identity/jwks")).body;
      await before.stop();
      const after = await startInstance({ data, port: Number(port) });
      try {
        expect((await after.send("GET", "/identity/jwks")).body).toEqual(keys);
        expect((await oidc.userinfo(after, kept.access_token)).status).toBe(200);
        expect((await oidc.userinfo(after, revoked.access_token)).status).toBe(401);
        expect((await oidc.exchange(after, client, code)).status).toBe(200);
        expect((await browser.open(oidc.authorizeUrl(client, { prompt: "none" }))).location).toContain(
          "code=",
        );
      } finally {
        await after.stop();
      }
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  it("makes new keys when the secret key is another, and still shows the old ones", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-identity-"));
    try {
      const before = await startInstance({ data, secretKey: "one key that nobody knows" });
      const client = await oidc.registerClient(before);
      const old = (await before.send("GET", "/identity/jwks")).body.keys;
      await before.stop();
      const after = await startInstance({ data, secretKey: "quite another key" });
      try {
        const { id_token } = await oidc.obtainTokens(after, client);
        const keys = (await after.send("GET", "/identity/jwks")).body.keys;
        expect(keys).toEqual(expect.arrayContaining(old));
        const { kid } = JSON.parse(Buffer.from(id_token.split(".")[0] ?? "", "base64url").toString());
        expect(old.map((key: { kid: string }) => key.kid)).not.toContain(kid);
      } finally {
        await after.stop();
      }
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
