/** Configuration stores (service C of the contract), and the data API of stores. */
import { definePort, defineService, provide } from "#kernel/operation";
import { defineResourceProvider } from "#kernel/resource-provider";
import { backupSources } from "#ports/backup-sources";
import { storeProtocol } from "./access/protocol.ts";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersDialect, storeDialect } from "./dialect.ts";
import { DATA_MOUNT } from "./endpoint.ts";
import { jobs } from "./jobs.ts";
import { migrations } from "./migrations.ts";
import { keyValueOperations } from "./operations/key-values.ts";
import { listOperations } from "./operations/lists.ts";
import { snapshotOperations } from "./operations/snapshots.ts";
import { connections } from "./provider/connections.ts";
import { NAMESPACE, providerOperations } from "./provider/operations.ts";
import { stores } from "./provider/stores.ts";
import { seed } from "./seed.ts";
import { forget, start } from "./state.ts";
import { tables } from "./tables.ts";

/** The provider owns the data tables, so the data service depends on it. */
const storesPort = definePort<object>("configuration-stores");

export default defineResourceProvider({
  name: "configuration-stores",
  title: "Configuration stores",
  summary: "Stores of application settings and feature flags: access keys, identities, private endpoints.",
  contract: "C",
  namespace: NAMESPACE,
  apiVersions: [
    "2019-11-01-preview",
    "2019-02-01-preview",
    "2019-10-01",
    "2020-06-01",
    "2020-07-01-preview",
    "2021-03-01-preview",
    "2021-10-01-preview",
    "2022-03-01-preview",
    "2022-05-01",
    "2023-03-01",
    "2023-08-01-preview",
    "2023-09-01-preview",
    "2024-05-01",
    "2024-06-01",
    "2024-06-15-preview",
    "2025-02-01-preview",
    "2025-06-01-preview",
  ],
  types: [stores, connections],
  dialects: [makersDialect],
  operations: providerOperations,
  jobs,
  migrations,
  tables,
  sealedColumns: { configuration_access_key: ["secret"] },
  provides: [provide(storesPort, () => ({})), provide(backupSources, backupSource)],
  console: consoleViews,
  seed,
});

/** Data API at each store's endpoint. */
export const configurationData = defineService({
  name: "configuration-data",
  title: "Configuration data",
  summary: "Key-values with labels, revisions, locks and snapshots, at each store's own endpoint.",
  needs: [storesPort],
  mount: DATA_MOUNT,
  firstSegmentAsHost: true,
  protocol: storeProtocol,
  dialects: [storeDialect],
  operations: [...keyValueOperations, ...listOperations, ...snapshotOperations],
  start,
  forget,
});
