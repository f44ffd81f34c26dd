/** SQLite and PostgreSQL behind one interface. */
export { queriesOf } from "./compiled-query.ts";
export { addObjectColumn, type Columns, createIndex, createTable } from "./create-table.ts";
export { type AnyDb, type Database, isUniqueViolation, type StandbyState } from "./database.ts";
export { databaseBytes } from "./database-bytes.ts";
export { rememberedSchemas } from "./fresh-schema.ts";
export { type MigrationSet, migrate } from "./migrate.ts";
export { listByName, listOfAllRegions } from "./named-rows.ts";
export { openPostgres } from "./open.ts";
export { deleteSome, eachAccount, findFirstBeyond } from "./pruning.ts";
export { rewriteColumn } from "./rewrite-column.ts";
export { openSqlite } from "./sqlite.ts";
export { getSqliteDriver } from "./sqlite-driver.ts";
