/** The authorization endpoint. */
import { anyone, media, noBody } from "#kernel/operation";
import { AuthorizeParameters, authorize, resumeAuthorization } from "../../connect/index.ts";
import { Interaction, operation, showOutcome } from "./page-operation.ts";

const html = media("text/html; charset=utf-8");
/** 200 is a form that posts the answer; 400 and 429 are pages, because there is nowhere safe to send an error. */
const answers = { 302: noBody, 303: noBody, 200: html, 400: html, 429: html };

export const authorizeOperations = [
  operation({
    id: "identity.authorize",
    summary: "Starts an authorization request: asks a person to sign in and to share claims with a client",
    description:
      "302 sends the authorization response, success or error, to the redirect URI; 303 leads to a sign-in or consent page. The request waits 30 minutes for the person, in the browser that started it. An unknown client or an unregistered redirect URI gets an error page, never a redirect. Exchange the code at `identity.token` within 120 seconds.",
    method: "GET",
    path: "/authorize",
    permission: anyone,
    transaction: "manual",
    query: AuthorizeParameters,
    answers,
    examples: {
      query: {
        client_id: "app_1",
        response_type: "code",
        scope: "openid email",
        redirect_uri: "https://app.example.org/answer",
        state: "af0ifjsldkj",
      },
    },
    handle: async ({ query }, context) => showOutcome(await authorize(context, query)),
  }),
  operation({
    id: "identity.authorizeByForm",
    summary: "Starts an authorization request with the parameters in a form",
    description:
      "Same as `identity.authorize`. A form from another site is answered with 303 to the resume address first, because browsers may withhold the session cookie from cross-site forms.",
    method: "POST",
    path: "/authorize",
    permission: anyone,
    transaction: "manual",
    body: AuthorizeParameters,
    bodyKinds: ["form"],
    answers,
    handle: async ({ body }, context) => showOutcome(await authorize(context, body, { posted: true })),
  }),
  operation({
    id: "identity.resumeAuthorization",
    summary: "Continues an authorization request after a step of the person",
    description:
      "The pages redirect here after sign-in, account choice, consent or refusal. The response is the next page, or the authorization response. A refusal deletes the request and sends `access_denied` to the client. An unknown, expired or answered request gets an error page (400).",
    method: "GET",
    path: "/authorize/resume/{interaction}",
    permission: anyone,
    transaction: "manual",
    params: Interaction,
    answers,
    handle: async ({ params }, context) =>
      showOutcome(await resumeAuthorization(context, params.interaction)),
  }),
];
