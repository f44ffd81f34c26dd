/**
 * Fixed lists of the interface: cultures, domains, scenarios, assistants, and accounts of the maker's cloud.
 */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import { CULTURES, DOMAINS, USAGE_SCENARIOS } from "../domain/cultures.ts";
import { errors } from "../errors.ts";
import { type Assigned, deleteAssigned, insertAssigned, listAssigned } from "../store/applications.ts";
import { AssignedView } from "../wire/applications.ts";
import { ApplicationParams, Guid, Status, SUCCESS } from "../wire/shared.ts";
import { called, getApplication, operation } from "./lookup.ts";

const listCultures = operation({
  ...called("catalogue", "ListCultures"),
  summary: "Lists the cultures that an application can have",
  description: "The list is fixed. Prebuilt entities and domains depend on the culture.",
  method: "GET",
  path: "/apps/cultures",
  answers: {
    200: Type.Array(
      Type.Object({
        name: Type.String(),
        code: Type.String({ description: "The culture.", examples: ["en-us"] }),
      }),
    ),
  },
  handle: () => CULTURES.map(({ name, code }) => ({ name, code })),
});
const listDomains = operation({
  ...called("catalogue", "ListDomains"),
  summary: "Lists the suggested domains of applications",
  description: "Informational only: an application may name another domain.",
  method: "GET",
  path: "/apps/domains",
  answers: { 200: Type.Array(Type.String({ description: "A domain.", examples: ["Travel"] })) },
  handle: () => [...DOMAINS],
});
const listScenarios = operation({
  ...called("catalogue", "ListUsageScenarios"),
  summary: "Lists the suggested usage scenarios of applications",
  description: "Informational only: an application may name another scenario.",
  method: "GET",
  path: "/apps/usagescenarios",
  answers: { 200: Type.Array(Type.String({ description: "A usage scenario.", examples: ["Bot"] })) },
  handle: () => [...USAGE_SCENARIOS],
});
const listAssistants = operation({
  ...called("catalogue", "ListAssistants"),
  summary: "Lists the endpoints of personal assistants",
  description: "Always empty here; for clients that ask.",
  method: "GET",
  path: "/apps/assistants",
  answers: {
    200: Type.Object({
      endpointKeys: Type.Array(Guid),
      endpointUrls: Type.Record(Type.String(), Type.String()),
    }),
  },
  handle: () => ({ endpointKeys: [], endpointUrls: {} }),
});

const shown = ({ subscription, resourceGroup, name }: Assigned) => ({
  azureSubscriptionId: subscription,
  resourceGroup,
  accountName: name,
});
const ACCOUNTS = "/apps/{appId}/azureaccounts";
const example = {
  azureSubscriptionId: "0f0b8b52-8a34-4a3e-9c8b-1f5c1c2d3e4f",
  resourceGroup: "travel",
  accountName: "travel-desk",
};
const given = ({ azureSubscriptionId, resourceGroup, accountName }: typeof example): Assigned => ({
  subscription: azureSubscriptionId,
  resourceGroup,
  name: accountName,
});

const assign = operation({
  ...called("accounts", "AssignAccount"),
  summary: "Assigns a cloud account to an application",
  description:
    "The assignment is only recorded and listed. It does not decide which keys may query: credentials of this server do.",
  method: "POST",
  path: ACCOUNTS,
  params: ApplicationParams,
  body: AssignedView,
  bodyOptional: true,
  answers: { 201: Status },
  examples: { body: example },
  async handle({ params, body }, context) {
    const { id } = await getApplication(context, params);
    if (!body) throw errors.badArgument("The account must be given.");
    await insertAssigned(context.db, context.account, id, given(body));
    return answer(201, SUCCESS);
  },
});
const listOfApplication = operation({
  ...called("accounts", "GetAssignedAccounts"),
  summary: "Lists the cloud accounts that are assigned to an application",
  description: "The assignments have no effect on predictions here.",
  method: "GET",
  path: ACCOUNTS,
  params: ApplicationParams,
  answers: { 200: Type.Array(AssignedView) },
  async handle({ params }, context) {
    const { id } = await getApplication(context, params);
    return (await listAssigned(context.db, context.account, id)).map(shown);
  },
});
const removeAccount = operation({
  ...called("accounts", "RemoveAccount"),
  summary: "Removes an assigned cloud account from an application",
  description: "An account that is not assigned is refused.",
  method: "DELETE",
  path: ACCOUNTS,
  params: ApplicationParams,
  body: AssignedView,
  bodyOptional: true,
  answers: { 200: Status },
  examples: { body: example },
  async handle({ params, body }, context) {
    const { id } = await getApplication(context, params);
    if (!body || !(await deleteAssigned(context.db, context.account, id, given(body))))
      throw errors.badArgument("The account is not assigned to the application.");
    return SUCCESS;
  },
});
const listOfUser = operation({
  ...called("accounts", "ListUserAccounts"),
  summary: "Lists the cloud accounts that are assigned to any application",
  description: "The assignments have no effect on predictions here.",
  method: "GET",
  path: "/azureaccounts",
  answers: { 200: Type.Array(AssignedView) },
  async handle(_, context) {
    return (await listAssigned(context.db, context.account)).map(shown);
  },
});

export const catalogueOperations = [
  listCultures,
  listDomains,
  listScenarios,
  listAssistants,
  assign,
  listOfApplication,
  removeAccount,
  listOfUser,
];
