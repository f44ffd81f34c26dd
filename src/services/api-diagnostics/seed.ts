/** Demo data: an instance whose requests go to two loggers. */
import type { Context } from "#kernel/operation";
import { makeResource } from "#kernel/resource-provider";
import { diagnostics } from "./operations/diagnostics.ts";
import { instances } from "./operations/instances.ts";

const SUBSCRIPTION = "7c4d2f3e-1b5a-4a57-9e0c-3d1f6a2b8c90";
const GROUP = "apis-rg";
const INSTANCE = "shop-apis";

export async function seed(context: Context): Promise<void> {
  const place = (...names: string[]) => ({ subscriptionId: SUBSCRIPTION, resourceGroup: GROUP, names });
  await makeResource(context, instances, place(INSTANCE), {
    location: "westeurope",
    tags: { environment: "demo" },
    sku: { name: "Developer", capacity: 1 },
    properties: { publisherName: "Example Shop", publisherEmail: "apis@example.org" },
  });
  const loggerOf = (name: string) =>
    `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Vendor.ApiManagement/service/${INSTANCE}/loggers/${name}`;
  const kept = { body: { bytes: 512 }, headers: ["Content-Type", "User-Agent"] };
  await makeResource(context, diagnostics, place(INSTANCE, "applicationinsights"), {
    properties: {
      loggerId: loggerOf("insights"),
      alwaysLog: "allErrors",
      sampling: { samplingType: "fixed", percentage: 50 },
      frontend: { request: kept, response: kept },
      backend: { request: kept, response: kept },
      httpCorrelationProtocol: "W3C",
      verbosity: "information",
    },
  });
  await makeResource(context, diagnostics, place(INSTANCE, "monitor"), {
    properties: { loggerId: loggerOf("monitor"), logClientIp: true, verbosity: "error" },
  });
}
