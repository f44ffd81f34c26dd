/** The resource-manager protocol of one provider: it knows which versions of the interface there are. */
import type { Context } from "../operation/context.ts";
import { arm } from "../protocols/arm.ts";
import type { Protocol, SharedWords } from "../protocols/protocol.ts";
import { managementErrors } from "./errors.ts";

/** The version that the caller knows; empty where nobody called. */
export const apiVersionOf = ({ request: { rawUrl } }: Context): string =>
  new URL(rawUrl, "http://localhost").searchParams.get("api-version") ?? "";

function checkVersion(given: unknown, supported: readonly string[], namespace: string): void {
  if (typeof given === "string" && supported.includes(given.toLowerCase())) return;
  const names = supported.map((version) => `'${version}'`).join(", ");
  if (typeof given !== "string" || given === "")
    throw managementErrors.missingApiVersion(
      `The api-version query parameter (?api-version=) is required for all requests. The supported versions of ${namespace} are ${names}.`,
      { target: "api-version" },
    );
  throw managementErrors.invalidApiVersion(
    `The api-version '${given.slice(0, 64)}' is not supported by ${namespace}. The supported versions are ${names}.`,
    { target: "api-version" },
  );
}

const wordsOf = (version: string | undefined): SharedWords => ({
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
  managedBy: {
    description: "The identifier of the resource that manages this one.",
    example: "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/tools",
  },
});

export const protocolOf = (namespace: string, supported: readonly string[]): Protocol => ({
  ...arm,
  authenticationErrors: [managementErrors.missingApiVersion, managementErrors.invalidApiVersion],
  check: (call) => checkVersion(call.query["api-version"], supported, namespace),
  sharedWords: wordsOf(supported[0]),
});
