/** A relying party built on openid-client that ends its own session when a logout token says so. */
import { jwtVerify } from "jose";
import * as client from "openid-client";
import { expect, it } from "vitest";
import { startHttpReceiver } from "../support/http-receiver.ts";
import { keysAt, REDIRECT, registerClient, TestBrowser } from "../support/identity-browser.ts";
import { LOGOUT_EVENT } from "../support/logout-receiver.ts";
import { onBothDatabases } from "../support/medley.ts";

onBothDatabases(
  "openid-client and back-channel logout",
  (instance) => {
    it("signs in, keeps a session under its sid, and is told by a logout token to end it", async () => {
      const server = await startHttpReceiver();
      try {
        const registered = await registerClient(instance(), {
          subject_type: "pairwise",
          backchannel_logout_uri: `${server.url}/backchannel-logout`,
          backchannel_logout_session_required: true,
          post_logout_redirect_uris: ["http://localhost:9/bye"],
        });
        const config = await client.discovery(
          new URL(`${instance().url}/identity`),
          registered.client_id,
          { client_secret: registered.client_secret, id_token_signed_response_alg: "ES256" },
          undefined,
          { execute: [client.allowInsecureRequests] },
        );
        const metadata = config.serverMetadata();
        expect(metadata.backchannel_logout_supported).toBe(true);
        expect(metadata.claims_parameter_supported).toBe(true);

        const state = client.randomState();
        const browser = new TestBrowser(instance());
        const end = await browser.travel(
          client.buildAuthorizationUrl(config, {
            redirect_uri: REDIRECT,
            scope: "openid",
            state,
            claims: JSON.stringify({ userinfo: { name: { essential: true } }, id_token: { email: null } }),
          }).href,
        );
        const tokens = await client.authorizationCodeGrant(config, end, { expectedState: state });
        const claims = tokens.claims();
        expect(claims).toMatchObject({ email: "ann@example.org", sid: expect.any(String) });
        const sub = claims?.sub ?? "";
        expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toEqual({
          sub,
          name: "Ann Example",
        });
        const sessions = new Map<unknown, string>([[claims?.sid, sub]]);

        const leaving = client.buildEndSessionUrl(config, {
          id_token_hint: tokens.id_token ?? "",
          post_logout_redirect_uri: "http://localhost:9/bye",
        });
        expect((await browser.open(leaving.href)).location).toMatch(/^http:\/\/localhost:9\/bye/);

        const { body, headers } = await server.waitFor(1);
        expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
        const { payload } = await jwtVerify(
          new URLSearchParams(body).get("logout_token") ?? "",
          keysAt(metadata.jwks_uri ?? ""),
          {
            issuer: metadata.issuer,
            audience: registered.client_id,
            algorithms: ["ES256"],
            typ: "logout+jwt",
            requiredClaims: ["iat", "exp", "jti", "events"],
          },
        );
        expect(payload.events).toEqual({ [LOGOUT_EVENT]: {} });
        expect(payload).not.toHaveProperty("nonce");
        expect(sessions.get(payload.sid)).toBe(payload.sub);
        sessions.delete(payload.sid);
        expect(sessions.size).toBe(0);
      } finally {
        await server.stop();
      }
    });
  },
  { services: ["identity"] },
);
