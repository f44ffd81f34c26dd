/** The owner's dashboard. It uses the same permissions as the HTTP interface. */
import { Type } from "@sinclair/typebox";
import { type Answer, anyone, type Context, ServiceError, sameKind } from "#kernel/operation";
import {
  type ClientAnswer,
  ClientId,
  createClient,
  getClient,
  listClients,
  registrationErrors,
  rotateSecret,
  updateClient,
} from "../../clients/index.ts";
import { deleteClient, issueOwnerToken } from "../../connect/index.ts";
import { clearOpenCookie, isGenuineForm, openCookie } from "../../people/index.ts";
import { askingOf } from "../asking.ts";
import {
  bodyOf,
  CLIENT_FIELDS,
  type ClientProblem,
  type ClientValues,
  findShapeProblem,
  freshValues,
} from "../client-form.ts";
import {
  type ClientFormView,
  type ClientView,
  renderClient,
  renderClients,
  renderNewClient,
  renderOwnerSignIn,
} from "../dashboard-pages.ts";
import { OWNER_COOKIE, OWNER_SIGN_IN_PATH } from "../owner.ts";
import {
  Done,
  EXPIRED_FORM,
  formAnswers,
  formBody,
  formSettings,
  leadTo,
  operation,
  pageAnswers,
  show,
  type Tables,
} from "./page-operation.ts";

const ownerCookie = { sites: "own", below: "/dashboard" } as const;
const WRONG = "These credentials do not fit, or lack the permission to see clients.";
const ClientForm = Type.Composite([
  formBody(...CLIENT_FIELDS),
  Type.Object({
    response_types: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 20,
        description: "What it may ask /authorize for.",
        examples: [["code"]],
      }),
    ),
  }),
]);
type ClientFormValues = ClientValues & { readonly form_token?: string };

const viewOf = (context: Context<Tables>) => ({
  asking: askingOf(context, undefined),
  account: context.account,
});
const showClient = (
  context: Context<Tables>,
  client: ClientAnswer,
  extras: Partial<ClientView> = {},
): Answer<string> =>
  show(renderClient({ ...viewOf(context), client, issuer: context.request.mountUrl, ...extras }));
const showNew = (context: Context<Tables>, extras: Partial<ClientFormView> = {}): Answer<string> =>
  show(renderNewClient({ ...viewOf(context), values: freshValues, ...extras }));

/** Converts a refusal of the registry into a form error. Other errors are thrown again. */
function problemOf(error: unknown): ClientProblem {
  if (
    !(error instanceof ServiceError) ||
    error.kind.status >= 500 ||
    sameKind(error.kind, registrationErrors.clientNotFound)
  )
    throw error;
  return { field: error.extras.target ?? "", text: error.message };
}

type Saved = { readonly client: ClientAnswer } | { readonly problem: ClientProblem };
async function save(
  values: ClientValues,
  keep: (body: ReturnType<typeof bodyOf>) => Promise<ClientAnswer>,
): Promise<Saved> {
  const body = bodyOf(values);
  const shape = findShapeProblem(body);
  if (shape) return { problem: shape };
  try {
    return { client: await keep(body) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

async function takeNew(context: Context<Tables>, values: ClientFormValues): Promise<Answer<string>> {
  if (!isGenuineForm(context, values.form_token))
    return showNew(context, { values, problem: EXPIRED_FORM, status: 403 });
  const saved = await save(values, (body) => createClient(context, body));
  return "problem" in saved
    ? showNew(context, { values, clientProblem: saved.problem, status: 400 })
    : showClient(context, saved.client, { message: `${saved.client.client_name} is registered.` });
}

async function takeChange(
  context: Context<Tables>,
  clientId: string,
  values: ClientFormValues,
): Promise<Answer<string | undefined>> {
  const client = await getClient(context, clientId);
  if (!isGenuineForm(context, values.form_token))
    return showClient(context, client, { values, problem: EXPIRED_FORM, status: 403 });
  const saved = await save(values, (body) => updateClient(context, clientId, body));
  if ("problem" in saved)
    return showClient(context, client, { values, clientProblem: saved.problem, status: 400 });
  // A client that becomes confidential gets its first secret, which has to be shown now.
  return saved.client.client_secret === undefined
    ? leadTo(context, `/dashboard/clients/${encodeURIComponent(clientId)}?done=saved`)
    : showClient(context, saved.client, { message: "Saved." });
}

const entrance = [
  operation({
    id: "identity.pages.ownerSignIn",
    summary: "Shows the sign-in page of the dashboard",
    description: "The dashboard is for the owner of a Medley account, not for people who sign in to clients.",
    method: "GET",
    path: OWNER_SIGN_IN_PATH,
    permission: anyone,
    query: Type.Object({
      failed: Type.Optional(
        Type.String({ maxLength: 10, description: "That the last attempt failed.", examples: ["1"] }),
      ),
    }),
    answers: formAnswers,
    handle: ({ query }, context) =>
      show(
        query.failed === undefined
          ? renderOwnerSignIn(askingOf(context, undefined), undefined)
          : renderOwnerSignIn(askingOf(context, undefined), WRONG, 401),
      ),
  }),
  operation({
    id: "identity.pages.takeOwnerSignIn",
    summary: "Signs an account's owner in to the dashboard",
    description:
      "Takes the account's Basic credentials or a bearer token, and sets a cookie that is valid for 60 minutes and only below `/dashboard`. After 10 failures for a name in 15 minutes, attempts are refused for 15 minutes.",
    ...formSettings,
    path: OWNER_SIGN_IN_PATH,
    permission: "identity:ListClients",
    transaction: "manual",
    body: formBody("username", "password", "token"),
    answers: formAnswers,
    async handle({ body }, context) {
      if (!isGenuineForm(context, body.form_token))
        return show(renderOwnerSignIn(askingOf(context, undefined), EXPIRED_FORM, 403));
      const { token, maxAgeSeconds } = await issueOwnerToken(context, body);
      const cookies = openCookie(context, OWNER_COOKIE, token, { ...ownerCookie, maxAgeSeconds });
      return leadTo(context, "/dashboard", cookies);
    },
  }),
  operation({
    id: "identity.pages.ownerSignOut",
    summary: "Signs out of the dashboard",
    description: "Clears the dashboard's cookie in this browser.",
    ...formSettings,
    path: "/dashboard/sign-out",
    permission: anyone,
    body: formBody(),
    answers: formAnswers,
    handle: ({ body }, context) =>
      isGenuineForm(context, body.form_token)
        ? leadTo(context, OWNER_SIGN_IN_PATH, clearOpenCookie(context, OWNER_COOKIE, ownerCookie))
        : leadTo(context, "/dashboard"),
  }),
];

const reading = [
  operation({
    id: "identity.pages.dashboard",
    summary: "Shows the clients of the account",
    description: "Lists all clients on one page; an account has at most 1000.",
    method: "GET",
    path: "/dashboard",
    permission: "identity:ListClients",
    query: Done,
    answers: pageAnswers,
    async handle({ query }, context) {
      const message = query.done === "deleted" ? "The application is deleted." : undefined;
      return show(renderClients({ ...viewOf(context), message }, await listClients(context)));
    },
  }),
  operation({
    id: "identity.pages.newClient",
    summary: "Shows the form for a new client",
    description: "The form covers the common settings; `identity.clients.create` takes all.",
    method: "GET",
    path: "/dashboard/clients/new",
    permission: "identity:CreateClient",
    answers: pageAnswers,
    handle: (_input, context) => showNew(context),
  }),
  operation({
    id: "identity.pages.client",
    summary: "Shows a client with its settings and example code",
    description: "The secret is not shown: it is stored as a digest. Rotate it to get a new one.",
    method: "GET",
    path: "/dashboard/clients/{client_id}",
    permission: "identity:GetClient",
    params: ClientId,
    query: Done,
    answers: pageAnswers,
    errors: [registrationErrors.clientNotFound],
    async handle({ params, query }, context) {
      const client = await getClient(context, params.client_id);
      return showClient(context, client, { message: query.done === "saved" ? "Saved." : undefined });
    },
  }),
];

const changing = [
  operation({
    id: "identity.pages.takeNewClient",
    summary: "Registers a client and shows its secret once",
    description:
      "Same checks and limits as `identity.clients.create`. Reloading the page does not show the secret again.",
    ...formSettings,
    path: "/dashboard/clients",
    permission: "identity:CreateClient",
    transaction: "manual",
    body: ClientForm,
    answers: formAnswers,
    handle: ({ body }, context) => takeNew(context, body),
  }),
  operation({
    id: "identity.pages.takeClient",
    summary: "Replaces the settings of a client",
    description:
      "Same rules as `identity.clients.update`. A client that changes from public to confidential gets a secret, which is shown once.",
    ...formSettings,
    path: "/dashboard/clients/{client_id}",
    permission: "identity:UpdateClient",
    params: ClientId,
    transaction: "manual",
    body: ClientForm,
    answers: formAnswers,
    errors: [registrationErrors.clientNotFound],
    handle: ({ params, body }, context) => takeChange(context, params.client_id, body),
  }),
  operation({
    id: "identity.pages.rotateSecret",
    summary: "Creates a new secret for a client and shows it once",
    description:
      "The old secret stops working immediately. Tokens that were issued stay valid. Refused for public clients, which have no secret.",
    ...formSettings,
    path: "/dashboard/clients/{client_id}/rotate",
    permission: "identity:RotateClientSecret",
    params: ClientId,
    body: formBody(),
    answers: formAnswers,
    errors: [registrationErrors.clientNotFound, registrationErrors.invalidClientMetadata],
    async handle({ params, body }, context) {
      const client = await getClient(context, params.client_id);
      if (!isGenuineForm(context, body.form_token))
        return showClient(context, client, { problem: EXPIRED_FORM, status: 403 });
      const rotated = await rotateSecret(context, params.client_id);
      return showClient(context, rotated, { message: "The new secret works from now on." });
    },
  }),
  operation({
    id: "identity.pages.deleteClient",
    summary: "Deletes a client with its tokens and consents",
    description: "Same effect as `identity.clients.delete`.",
    ...formSettings,
    path: "/dashboard/clients/{client_id}/delete",
    permission: "identity:DeleteClient",
    params: ClientId,
    body: formBody(),
    answers: formAnswers,
    errors: [registrationErrors.clientNotFound],
    async handle({ params, body }, context) {
      const client = await getClient(context, params.client_id);
      if (!isGenuineForm(context, body.form_token))
        return showClient(context, client, { problem: EXPIRED_FORM, status: 403 });
      await deleteClient(context, params.client_id);
      return leadTo(context, "/dashboard?done=deleted");
    },
  }),
];

export const dashboardOperations = [...entrance, ...reading, ...changing];
