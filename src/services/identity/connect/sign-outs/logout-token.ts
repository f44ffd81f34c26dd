/** Notifies one application that a session has ended (OpenID Connect Back-Channel Logout). */
import { type Static, Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import { OutboundError } from "#kernel/outbound";
import { type Client, findClient, sessionNameFor, subjectFor } from "../../clients/index.ts";
import { LOGOUT_TOKEN_SECONDS } from "../domain/lifetimes.ts";
import { signForClient } from "../id-token.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

const TYPE = "logout+jwt";
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 16 * 1024;
/** About half an hour. */
const ATTEMPTS_MAX = 12;
/** Refusals that may pass. Any other below 500 is the application's last word. */
const PASSING = new Set([408, 425, 429]);

const Ended = Type.Object({
  sessionId: Type.String(),
  clientId: Type.String(),
  userId: Type.String(),
  issuer: Type.String(),
});
type Ended = Static<typeof Ended>;
type Db = Context<Tables, State>;

/** Made anew for every attempt, because each is good for two minutes only. */
async function logoutTokenFor(context: Db, client: Client, ended: Ended): Promise<string> {
  const iat = Math.floor(context.clock.nowSeconds());
  return signForClient(context, client, TYPE, {
    iss: ended.issuer,
    aud: client.clientId,
    iat,
    exp: iat + LOGOUT_TOKEN_SECONDS,
    jti: context.ids.next("logout"),
    sub: await subjectFor(context, client, ended.userId),
    sid: await sessionNameFor(context, client, ended.sessionId),
    events: { [EVENT]: {} },
  });
}

/** Redirects are not followed: the token is for the registered address alone. */
async function post(context: Db, url: string, token: string): Promise<number> {
  const { status } = await context.outbound.request({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ logout_token: token }).toString(),
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
    whenTooLarge: "truncate",
    redirectsMax: 0,
  });
  return status;
}

async function tell(context: Db, ended: Ended): Promise<void> {
  // Uses the current registration: an address that was removed gets no message.
  const client = await findClient(context.db, ended.clientId);
  const url = client?.metadata.backchannelLogoutUri;
  if (!client || url === undefined) return;
  const status = await post(context, url, await logoutTokenFor(context, client, ended));
  if (status >= 200 && status < 300) return;
  const message = `the application ${client.clientId} answered ${status} to a logout token`;
  if (status >= 500 || PASSING.has(status)) throw new Error(message);
  context.log.info(message, { account: client.account });
}

export const tellSignOut = jobsFor<Tables, State>()({
  name: "identity.tell-sign-out",
  payload: Ended,
  transaction: "manual",
  attemptsMax: ATTEMPTS_MAX,
  async run(ended, context) {
    try {
      await tell(context, ended);
    } catch (error) {
      const isHopeless =
        error instanceof OutboundError && (error.reason === "refusedAddress" || error.reason === "badUrl");
      if (!isHopeless) throw error;
      context.log.info("an application's address for logout tokens may not be reached", {
        client: ended.clientId,
        error: error.message,
      });
    }
  },
});
