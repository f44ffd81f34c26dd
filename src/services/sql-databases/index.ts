/** SQL databases (service Q of the contract). */
import { provide } from "#kernel/operation";
import { defineResourceProvider } from "#kernel/resource-provider";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { makersDialect } from "./dialect.ts";
import { errors } from "./errors.ts";
import { autoPauseJob } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { databases } from "./operations/databases.ts";
import { listDroppedDatabases } from "./operations/dropped.ts";
import { pools } from "./operations/pools.ts";
import { servers } from "./operations/servers.ts";
import { seed } from "./seed.ts";
import { tables } from "./tables.ts";

export default defineResourceProvider({
  name: "sql-databases",
  title: "SQL databases",
  summary:
    "Databases on servers and in elastic pools: editions, copies, restores, pause and resume, upgrade, rename.",
  contract: "Q",
  namespace: "Vendor.Sql",
  apiVersions: [
    "2017-10-01-preview",
    "2014-04-01",
    "2015-05-01-preview",
    "2017-03-01-preview",
    "2018-06-01-preview",
    "2018-06-15-preview",
    "2019-06-01-preview",
    "2020-02-02-preview",
    "2020-08-01-preview",
    "2020-11-01-preview",
    "2021-02-01-preview",
    "2021-05-01-preview",
    "2021-08-01-preview",
    "2021-11-01",
    "2021-11-01-preview",
    "2022-02-01-preview",
    "2022-05-01-preview",
    "2022-08-01-preview",
    "2022-11-01-preview",
    "2023-02-01-preview",
    "2023-05-01-preview",
    "2023-08-01",
    "2023-08-01-preview",
    "2024-05-01-preview",
    "2024-11-01-preview",
  ],
  types: [servers, pools, databases],
  dialects: [makersDialect],
  operations: [listDroppedDatabases],
  says: { busy: ({ name }) => errors.busy(`Another operation is under way on '${name}'.`) },
  errors: [errors.busy],
  jobs: [autoPauseJob],
  provides: [provide(backupSources, backupSource)],
  migrations,
  tables,
  seed,
});
