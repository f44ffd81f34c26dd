/**
 * API management instances with a gateway, and the diagnostics that control its logs (service D of the
 * contract). Read gateway/ next.
 */
import { provide } from "#kernel/operation";
import { defineResourceProvider } from "#kernel/resource-provider";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { makersDialect } from "./dialect.ts";
import { gateway } from "./gateway/index.ts";
import { demoTrafficJob } from "./jobs/demo-traffic.ts";
import { migrations } from "./migrations.ts";
import { apiOperations, apis } from "./operations/apis.ts";
import { backends } from "./operations/backends.ts";
import { apiDiagnostics, diagnostics } from "./operations/diagnostics.ts";
import { instances } from "./operations/instances.ts";
import { loggers } from "./operations/loggers.ts";
import { namedValues } from "./operations/named-values.ts";
import { apiPolicies, operationPolicies, policies, productPolicies } from "./operations/policies.ts";
import { products } from "./operations/products.ts";
import { releases, schemas } from "./operations/releases.ts";
import { subscriptions } from "./operations/subscriptions.ts";
import { TRAFFIC_PATH, trafficPage } from "./operations/traffic.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";

export default defineResourceProvider({
  name: "api-diagnostics",
  title: "API diagnostics",
  summary: "API gateways whose diagnostics decide what is logged of each call, how much of it, and where to.",
  contract: "D",
  namespace: "Vendor.ApiManagement",
  apiVersions: [
    "2019-12-01-preview",
    "2018-01-01",
    "2018-06-01-preview",
    "2019-01-01",
    "2019-12-01",
    "2020-06-01-preview",
    "2020-12-01",
    "2021-01-01-preview",
    "2021-04-01-preview",
    "2021-08-01",
    "2021-12-01-preview",
    "2022-04-01-preview",
    "2022-08-01",
    "2022-09-01-preview",
    "2023-03-01-preview",
    "2023-05-01-preview",
    "2023-09-01-preview",
    "2024-05-01",
    "2024-06-01-preview",
  ],
  types: [
    instances,
    diagnostics,
    loggers,
    apis,
    apiOperations,
    apiDiagnostics,
    subscriptions,
    namedValues,
    policies,
    apiPolicies,
    operationPolicies,
    products,
    productPolicies,
    backends,
    releases,
    schemas,
  ],
  dialects: [makersDialect],
  errors: [],
  errorNames: { invalidInput: ["ValidationError", 400], malformedBody: ["ValidationError", 400] },
  operations: [trafficPage],
  jobs: [demoTrafficJob],
  gateway,
  pages: [
    {
      path: TRAFFIC_PATH,
      isTool: true,
      title: "Gateway traffic",
      summary: "What comes through a gateway, and what its diagnostics keep of it.",
    },
  ],
  provides: [provide(backupSources, backupSource)],
  migrations,
  tables,
  seed,
  start,
  forget,
  stop,
});
