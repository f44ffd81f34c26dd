/** Demo data: a gateway to this server's health API, with two loggers, and a job that calls it. */
import type { Context } from "#kernel/operation";
import { demoSubscriptionOf, findById, makeResource } from "#kernel/resource-provider";
import { demoTrafficJob } from "./jobs/demo-traffic.ts";
import { apis } from "./operations/apis.ts";
import { diagnostics } from "./operations/diagnostics.ts";
import { instances } from "./operations/instances.ts";

const GROUP = "apis-rg";
const INSTANCE = "shop-apis";

/** The server's address, as seen by the client that loads the demo data. */
const ownAddress = ({ request, config }: Context): string =>
  URL.canParse(request.mountUrl)
    ? new URL(request.mountUrl).origin
    : `http://127.0.0.1:${config.port || 4020}`;

export async function seed(context: Context): Promise<void> {
  const subscriptionId = demoSubscriptionOf(context.account);
  const instanceId = `/subscriptions/${subscriptionId}/resourceGroups/${GROUP}/providers/Vendor.ApiManagement/service/${INSTANCE}`;
  if (await findById(context, instanceId)) return;
  const place = (...names: string[]) => ({ subscriptionId, resourceGroup: GROUP, names });
  await makeResource(context, instances, place(INSTANCE), {
    location: "westeurope",
    tags: { environment: "demo" },
    sku: { name: "Developer", capacity: 1 },
    properties: { publisherName: "Example Shop", publisherEmail: "apis@example.org" },
  });
  await makeResource(context, apis, place(INSTANCE, "status"), {
    properties: {
      path: "status",
      displayName: "Status of this server",
      serviceUrl: `${ownAddress(context)}/_medley/health`,
      subscriptionRequired: false,
    },
  });
  const loggerOf = (name: string) => `${instanceId}/loggers/${name}`;
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
  await context.enqueue(demoTrafficJob, { gatewayUrl: `${ownAddress(context)}/gateway/${INSTANCE}` });
}
