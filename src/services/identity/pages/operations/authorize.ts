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
    summary: "Asks a person to sign in and to share claims with an application",
    description:
      "302 carries the authentication response, success or error, to the redirect location; 303 leads to the sign-in page, popup or modal.",
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
    summary: "The same, with the parameters in a form",
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
    summary: "Goes on with a request after a step of the person",
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
