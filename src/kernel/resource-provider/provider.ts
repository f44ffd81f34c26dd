/** From a provider's declaration to a service. */
import { type TProperties, Type } from "@sinclair/typebox";
import type { Context } from "../operation/context.ts";
import { anyone, type Operation } from "../operation/operation.ts";
import { provide } from "../operation/provided-port.ts";
import { defineService, type Service } from "../operation/service.ts";
import { putResource } from "./change.ts";
import { viewsOf } from "./console.ts";
import { atManagementMount } from "./mount.ts";
import { operationsOf } from "./operations.ts";
import { itemPlaceOf, resourceAt } from "./place.ts";
import { pollingOperations } from "./polling.ts";
import { ancestryOf, declaredOf, declareTypes, providersPort } from "./registry.ts";
import type { OperationListed, Properties, ProviderSpec, ResourceType, ResourceTypeSpec } from "./types.ts";
import { apiVersionQuery } from "./wire.ts";
import { type Started, workJobOf } from "./work.ts";

/** Declares a resource type. `P` is the type of the properties that are kept. */
export const resourceType = <P = Properties>(spec: ResourceTypeSpec<P>): ResourceType =>
  ({ ...spec, isResourceType: true }) as ResourceType;

const describe = ({ name, ...display }: OperationListed, provider: ProviderSpec) => ({
  name,
  display: { provider: provider.title, ...display },
});
/** `Vendor.Area/stores/ListKeys/action` acts on `stores`; without a type of its own, the last word but one is all there is. */
function listed(namespace: string, { permission, summary }: Operation): OperationListed {
  const words = permission.slice(namespace.length + 1).split("/");
  const verb = words.pop() ?? "";
  const word = verb === "action" ? (words.pop() ?? verb) : verb;
  return {
    name: permission,
    resource: words.join("/"),
    operation: word[0]?.toUpperCase() + word.slice(1),
    description: summary,
  };
}
function listedOperations({ namespace, types, operations = [] }: ProviderSpec): OperationListed[] {
  const byName = new Map<string, OperationListed>();
  for (const operation of [...types.flatMap((type) => operationsOf(declaredOf(type))), ...operations]) {
    const { permission } = operation;
    if (permission.startsWith(`${namespace}/`) && !byName.has(permission))
      byName.set(permission, listed(namespace, operation));
  }
  return [...byName.values()];
}
function operationsList(provider: ProviderSpec): Operation {
  const value = listedOperations(provider).map(
    (one) => provider.describeOperation?.(one) ?? describe(one, provider),
  );
  const display: TProperties = {
    provider: Type.String({ description: "Who provides it." }),
    resource: Type.String({ description: "What it is done to." }),
    operation: Type.String({ description: "What is done." }),
    description: Type.String({ description: "What it is for." }),
  };
  return {
    id: `${provider.name}.operations.list`,
    summary: "Lists the operations of the provider.",
    description:
      "The names are those that access policies use. The list is fixed, is not paged, and needs no subscription.",
    method: "GET",
    path: `/providers/${provider.namespace}/operations`,
    permission: `${provider.namespace}/operations/read`,
    query: apiVersionQuery({ $skipToken: Type.Optional(Type.String()) }, provider.apiVersions[0]),
    answers: {
      200: Type.Object({
        value: Type.Array(
          Type.Object({
            name: Type.String({ description: "The operation, as policies name it." }),
            display: Type.Object(display, { description: "The same for people." }),
          }),
          { description: "The operations." },
        ),
      }),
    },
    handle: () => ({ value }),
  };
}

/** Operations that a provider writes itself are decided on by their path as well, unless they say otherwise or are open to all. */
const withResource = (operation: Operation): Operation =>
  operation.permission === anyone ? operation : { resource: resourceAt(operation.path), ...operation };

/** Makes a service of a provider: its operations, jobs and polling addresses at the shared mount. */
export function defineResourceProvider(provider: ProviderSpec): Service {
  declareTypes(provider);
  const {
    namespace,
    apiVersions,
    types,
    operations = [],
    says: _says,
    errors: _errors,
    describeOperation: _describe,
    ...rest
  } = provider;
  const shared = atManagementMount(namespace, apiVersions);
  return defineService({
    ...rest,
    ...shared,
    dialects: [...shared.dialects, ...(provider.dialects ?? [])],
    operations: [
      operationsList(provider),
      ...types.flatMap((type) => operationsOf(declaredOf(type))),
      ...operations.map(withResource),
      ...pollingOperations(provider),
    ],
    jobs: [workJobOf(provider.name), ...(provider.jobs ?? [])],
    provides: [provide(providersPort, (own) => ({ provider, own })), ...(provider.provides ?? [])],
    console: provider.console ?? viewsOf(provider),
  });
}

/** A PUT from inside, done at once: for seeds, and for operations that make resources of their own provider. */
export function makeResource(
  context: Context,
  type: ResourceType,
  at: { readonly subscriptionId: string; readonly resourceGroup: string; readonly names: readonly string[] },
  body: Properties,
): Promise<Started & { readonly created: boolean }> {
  const declared = declaredOf(type);
  const params: Record<string, string> = {
    subscriptionId: at.subscriptionId,
    resourceGroupName: at.resourceGroup,
  };
  for (const [index, { parameter }] of ancestryOf(type).entries()) params[parameter] = at.names[index] ?? "";
  return putResource(context, declared, itemPlaceOf(declared, params), body, { atOnce: true });
}
