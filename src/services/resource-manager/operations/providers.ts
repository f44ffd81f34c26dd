/** Resource providers: those that are mounted, with their types and versions. */
import type { Context, Operation } from "#kernel/operation";
import {
  keyOf,
  listOf,
  type ProviderSpec,
  providersOf,
  requireSubscription,
} from "#kernel/resource-provider";
import { errors } from "../errors.ts";
import { ProviderAnswer, pageMembers, presentProvider } from "../wire.ts";
import { declaration, versionedQuery } from "./declaration.ts";

const PROVIDERS = "/subscriptions/{subscriptionId}/providers";
const PROVIDER = `${PROVIDERS}/{namespace}`;

const shared = (verb: string, path: string, permission: string) => ({
  ...declaration({
    id: `providers.${verb}`,
    path,
    permission: `providers/${permission}`,
    errors: [errors.invalidNamespace],
  }),
  query: versionedQuery(pageMembers),
});

function getProvider(context: Context, namespace: string): ProviderSpec {
  const wanted = keyOf(namespace);
  const found = providersOf(context).find((provider) => provider.namespace.toLowerCase() === wanted);
  if (found) return found;
  throw errors.invalidNamespace(`The resource namespace '${namespace.slice(0, 100)}' is invalid.`);
}
type Params = { subscriptionId: string; namespace: string };
async function providerIn(context: Context, { subscriptionId, namespace }: Params) {
  await requireSubscription(context, subscriptionId);
  return presentProvider(getProvider(context, namespace), subscriptionId);
}

export const providerOperations: readonly Operation[] = [
  {
    ...shared("list", "/providers", "read"),
    summary: "Lists the resource providers.",
    description: "Those that this server mounts, with their types and API versions, on one page.",
    method: "GET",
    answers: { 200: listOf(ProviderAnswer) },
    handle: (_input, context) => ({
      value: providersOf(context).map((provider) => presentProvider(provider)),
    }),
  },
  {
    ...shared("list-by-subscription", PROVIDERS, "read"),
    summary: "Lists the resource providers of a subscription.",
    description: "Every provider is registered with every subscription.",
    method: "GET",
    answers: { 200: listOf(ProviderAnswer) },
    async handle({ params: { subscriptionId } }, context) {
      await requireSubscription(context, subscriptionId);
      return { value: providersOf(context).map((provider) => presentProvider(provider, subscriptionId)) };
    },
  },
  {
    ...shared("get", PROVIDER, "read"),
    summary: "Reads a resource provider with its types and versions.",
    description: "An unknown or unmounted namespace is refused with InvalidResourceNamespace.",
    method: "GET",
    answers: { 200: ProviderAnswer },
    handle: ({ params }, context) => providerIn(context, params),
  },
  {
    ...shared("register", `${PROVIDER}/register`, "register/action"),
    summary: "Registers a subscription with a resource provider.",
    description: "Changes nothing: every provider is registered already. For clients that register first.",
    method: "POST",
    answers: { 200: ProviderAnswer },
    handle: ({ params }, context) => providerIn(context, params),
  },
];
