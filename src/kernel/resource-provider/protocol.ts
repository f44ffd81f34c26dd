/** The resource-manager protocol of one provider: it knows which versions of the interface there are. */
import type { Context } from "../operation/context.ts";
import type { SharedWords } from "../operation/shared-words.ts";
import { arm } from "../protocols/arm.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { managementErrors } from "./errors.ts";

const API_VERSION = "api-version";
/** The version that the caller knows; empty where nobody called. */
export function apiVersionOf({ request: { rawUrl } }: Context): string {
  const query = new URL(rawUrl, "http://localhost").searchParams;
  return [...query].find(([name]) => name.toLowerCase() === API_VERSION)?.[1] ?? "";
}

function checkVersion(given: unknown, supported: readonly string[], namespace: string): void {
  if (typeof given === "string" && supported.includes(given.toLowerCase())) return;
  if (Array.isArray(given))
    throw managementErrors.invalidApiVersion("The api-version is given more than once.", {
      target: API_VERSION,
    });
  const names = supported.map((version) => `'${version}'`).join(", ");
  if (typeof given !== "string" || given === "")
    throw managementErrors.missingApiVersion(
      `The api-version query parameter (?api-version=) is required for all requests. The supported versions of ${namespace} are ${names}.`,
      { target: API_VERSION },
    );
  throw managementErrors.invalidApiVersion(
    `The api-version '${given.slice(0, 64)}' is not supported by ${namespace}. The supported versions are ${names}.`,
    { target: API_VERSION },
  );
}

const EXAMPLE_GROUP = "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop";
const wordsOf = (namespace: string, version: string | undefined): SharedWords => ({
  "api-version": { description: "The version of the interface that the caller knows.", example: version },
  subscriptionId: {
    description: "The subscription that everything belongs to.",
    example: "00000000-0000-0000-0000-123456789012",
  },
  resourceGroupName: { description: "The name of the resource group.", example: "web-shop" },
  location: { description: "Where the resource is.", example: "westeurope" },
  operationId: {
    description: "The long-running operation, as the answer that began it named it.",
    example: "1m7fqc7680000eyv1bw2px5",
  },
  namespace: { description: "The namespace of a resource provider.", example: "Vendor.Sql" },
  $top: { description: "How many a page has at most.", example: 20 },
  $skip: { description: "How many to leave out at the beginning.", example: 20 },
  $skipToken: { description: "Where the next page goes on, as `nextLink` has it.", example: "MTAw" },
  $filter: {
    description: "Which of them to list, as an OData expression.",
    example: "resourceType eq 'Vendor.Sql/servers'",
  },
  name: { description: "The name of the resource; it cannot be changed.", example: "web-shop" },
  id: {
    description: "The path of the resource below the service.",
    example: `${EXAMPLE_GROUP}/providers/${namespace}/things/first`,
  },
  type: { description: "The resource's provider and type.", example: `${namespace}/things` },
  properties: { description: "What is special about resources of this type." },
  provisioningState: { description: "How far the last change has come.", example: "Succeeded" },
  nextLink: {
    description: "Where the next page is; absent on the last.",
    example: "http://127.0.0.1:4020/management/providers?%24skipToken=MTAw",
  },
  statusMessage: { description: "More about how it is.", example: "The resource is ready." },
  details: { description: "More about it.", example: [] },
  provider: { description: "Who provides an operation.", example: namespace },
  resource: { description: "What an operation is done to.", example: "things" },
  operation: { description: "What is done.", example: "Write" },
  description: { description: "What it is for.", example: "Makes or changes it." },
  managedBy: {
    description: "The identifier of the resource that manages this one.",
    example: "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/tools",
  },
});

export const protocolOf = (namespace: string, supported: readonly string[]): Protocol => ({
  ...arm,
  authenticationErrors: [managementErrors.missingApiVersion, managementErrors.invalidApiVersion],
  check: (call) => checkVersion(call.query[API_VERSION], supported, namespace),
  sharedWords: wordsOf(namespace, supported[0]),
});
