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
    summary: "Session iframe of a client: answers changed or unchanged to its messages",
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
    summary: "Session iframe that discovery names, for every client",
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
    summary: "Signs the person out, at an application's request",
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
    summary: "The same, with the parameters in a form",
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
    summary: "Goes on with a sign-out after the person has answered",
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
