/** The resource-manager protocol of one provider: it knows which versions of the interface there are. */
import { arm } from "../protocols/arm.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { managementErrors } from "./errors.ts";

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

export const protocolOf = (namespace: string, supported: readonly string[]): Protocol => ({
  ...arm,
  authenticationErrors: [managementErrors.missingApiVersion, managementErrors.invalidApiVersion],
  check: (call) => checkVersion(call.query["api-version"], supported, namespace),
});
