/** Session management: the iframe that applications ask, and sign-out begun by them. */
import { answer, anyone, media, noBody } from "#kernel/operation";
import { ClientId, findClient, originsOf, registrationErrors } from "../../clients/index.ts";
import { LogoutParameters, logout, resumeLogout } from "../../connect/index.ts";
import { renderSessionIframe } from "../session-iframe.ts";
import { Interaction, operation, showOutcome } from "./page-operation.ts";

const html = media("text/html; charset=utf-8");
const logoutAnswers = { 302: noBody, 303: noBody, 200: html, 400: html };

export const sessionOperations = [
  operation({
    id: "identity.sessionIframe",
    summary: "Serves the session iframe of one client",
    description:
      "The client's page posts `client_id session_state` to the iframe and gets `changed`, `unchanged` or `error`. Only the origins of the client's redirect URIs may embed it, or all origins in test mode.",
    method: "GET",
    path: "/{client_id}/iframe",
    permission: anyone,
    params: ClientId,
    answers: { 200: html },
    errors: [registrationErrors.clientNotFound],
    async handle({ params }, { db }) {
      const client = await findClient(db, params.client_id);
      if (!client) throw registrationErrors.clientNotFound(`There is no client ${params.client_id}.`);
      const { testMode, redirectUris } = client.metadata;
      const frame = renderSessionIframe(client.clientId, testMode ? undefined : originsOf(redirectUris));
      return answer(200, frame.html, frame.headers);
    },
  }),
  operation({
    id: "identity.sessionIframeForAll",
    summary: "Serves the session iframe that the discovery document names",
    description:
      "Works for every client: the page posts `client_id session_state` and gets `changed`, `unchanged` or `error`.",
    method: "GET",
    path: "/session/iframe",
    permission: anyone,
    answers: { 200: html },
    handle() {
      const frame = renderSessionIframe(undefined, undefined);
      return answer(200, frame.html, frame.headers);
    },
  }),
  operation({
    id: "identity.logout",
    summary: "Signs the person out at a client's request (RP-initiated logout)",
    description:
      "With an `id_token_hint` for the current session, the session ends immediately. Otherwise the person must confirm, and 303 leads to that page. The other clients of the session are notified: by a back-channel job with up to 12 attempts, and by at most 50 frames. `post_logout_redirect_uri` must be registered.",
    errorShape: "page",
    method: "GET",
    path: "/logout",
    permission: anyone,
    transaction: "manual",
    query: LogoutParameters,
    answers: logoutAnswers,
    handle: async ({ query }, context) => showOutcome(await logout(context, query)),
  }),
  operation({
    id: "identity.logoutByForm",
    summary: "Signs the person out at a client's request, with the parameters in a form",
    description: "Same as `identity.logout`.",
    errorShape: "page",
    method: "POST",
    path: "/logout",
    permission: anyone,
    transaction: "manual",
    body: LogoutParameters,
    bodyKinds: ["form"],
    answers: logoutAnswers,
    handle: async ({ body }, context) => showOutcome(await logout(context, body)),
  }),
  operation({
    id: "identity.resumeLogout",
    summary: "Continues a sign-out request after the person's answer",
    description:
      "Works once: the request is deleted. After a sign-out, redirects to `post_logout_redirect_uri` with `state`, or shows a final page. A person who refused stays signed in and goes to their account page.",
    errorShape: "page",
    method: "GET",
    path: "/logout/resume/{interaction}",
    permission: anyone,
    transaction: "manual",
    params: Interaction,
    answers: logoutAnswers,
    handle: async ({ params }, context) => showOutcome(await resumeLogout(context, params.interaction)),
  }),
];
