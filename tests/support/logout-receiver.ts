/** An application's server that is told of sign-outs, and checks what it is told as the standard demands. */
import { type JWTPayload, jwtVerify } from "jose";
import { type HttpReceiver, type Received, startHttpReceiver } from "./http-receiver.ts";
import { keysAt, registerClient, type TestClient } from "./identity-browser.ts";
import type { Instance } from "./medley.ts";

export const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

export class LogoutReceiver {
  readonly receiver: HttpReceiver;
  private constructor(receiver: HttpReceiver) {
    this.receiver = receiver;
  }
  static async open(): Promise<LogoutReceiver> {
    return new LogoutReceiver(await startHttpReceiver());
  }
  close(): Promise<void> {
    return this.receiver.stop();
  }
  /** Every client gets a path of its own, so that tests do not hear each other. */
  async register(
    instance: Instance,
    path: string,
    change: Record<string, unknown> = {},
  ): Promise<TestClient> {
    const backchannel_logout_uri = `${this.receiver.url}${path}`;
    return registerClient(instance, { backchannel_logout_uri, ...change });
  }
  at(path: string): readonly Received[] {
    return this.receiver.received.filter(({ url }) => url === path);
  }
  /** The logout token of the first message at this address that has not been looked at; waits for it. */
  async tokenAt(path: string, count = 1): Promise<string> {
    const untilMs = performance.now() + 20_000;
    while (this.at(path).length < count) {
      if (performance.now() > untilMs)
        throw new Error(`${this.at(path).length} of ${count} messages arrived at ${path}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return new URLSearchParams(this.at(path)[count - 1]?.body).get("logout_token") ?? "";
  }
}

/** As a relying party verifies it: signature, issuer, audience, type, event, and that it is no ID token. */
export async function verifyLogoutToken(
  instance: Instance,
  client: TestClient,
  token: string,
): Promise<JWTPayload> {
  const issuer = `${instance.url}/identity`;
  const { payload } = await jwtVerify(token, keysAt(`${issuer}/jwks`), {
    issuer,
    audience: client.client_id,
    typ: "logout+jwt",
    requiredClaims: ["iat", "exp", "jti", "sub", "sid", "events"],
    currentDate: new Date(instance.clock.nowMs()),
  });
  if ("nonce" in payload) throw new Error("a logout token must not hold a nonce");
  const events = payload.events as Record<string, unknown>;
  if (JSON.stringify(events[LOGOUT_EVENT]) !== "{}") throw new Error("the event is missing");
  return payload;
}
