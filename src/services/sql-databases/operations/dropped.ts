/** Dropped databases that are still restorable. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import {
  apiVersionQuery,
  findById,
  groupIdOf,
  keyOf,
  listOf,
  managementErrors,
  nextLinkOf,
  requireSubscription,
} from "#kernel/resource-provider";
import type { DatabaseProperties } from "../domain/database.ts";
import { findObjective } from "../domain/objectives.ts";
import { errors } from "../errors.ts";
import { listDropped } from "../store.ts";
import type { DroppedRow, Tables } from "../tables.ts";
import { droppedDatabase } from "../wire.ts";
import { msToTicks } from "./origins.ts";
import { missingServer } from "./servers.ts";

const PAGE_SIZE = 100;
const PAGE_SIZE_MAX = 1000;

function shown(row: DroppedRow, server: string) {
  const properties: DatabaseProperties & { tier?: string } = JSON.parse(row.properties);
  const name = `${row.name},${msToTicks(row.deleted_at)}`;
  return {
    id: `${server}/restorableDroppedDatabases/${name}`,
    name,
    type: "Vendor.Sql/servers/restorableDroppedDatabases",
    location: row.location,
    properties: {
      databaseName: row.name,
      edition: findObjective(properties.currentServiceObjectiveName)?.tier ?? properties.tier ?? "Standard",
      serviceLevelObjective: properties.currentServiceObjectiveName,
      ...(properties.maxSizeBytes !== undefined && { maxSizeBytes: properties.maxSizeBytes }),
      creationDate: isoOf(properties.createdAtMs),
      deletionDate: isoOf(row.deleted_at),
      earliestRestoreDate: isoOf(properties.createdAtMs),
    },
  };
}

export const listDroppedDatabases = operationsFor<Tables>()({
  id: "sql-databases.dropped.list",
  summary: "Lists the dropped databases of a server that can be restored.",
  description:
    "A dropped database is listed for 35 days (Basic, Free, DataWarehouse: 7). Restore it by `sql-databases.databases.put` with `createMode` Restore on the same server. Pages have 100 entries unless `$top` says otherwise.",
  method: "GET",
  path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Vendor.Sql/servers/{serverName}/restorableDroppedDatabases",
  permission: "Vendor.Sql/servers/restorableDroppedDatabases/read",
  params: Type.Object({
    subscriptionId: Type.String(),
    resourceGroupName: Type.String(),
    serverName: Type.String({ description: "The name of the server.", examples: ["shop-server"] }),
  }),
  query: apiVersionQuery({
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
    $skipToken: Type.Optional(Type.String({ maxLength: 2048 })),
  }),
  answers: { 200: listOf(droppedDatabase) },
  errors: [...Object.values(managementErrors), errors.serverNotFound],
  async handle({ params, query }, context) {
    await requireSubscription(context, params.subscriptionId);
    const group = groupIdOf(params.subscriptionId, params.resourceGroupName);
    const server = `${group}/providers/Vendor.Sql/servers/${params.serverName}`;
    if (!(await findById(context, server)))
      throw missingServer({ resourceGroup: params.resourceGroupName, names: [params.serverName] });
    const { rows, nextToken } = await context.pages.of(
      { size: query.$top ?? PAGE_SIZE, token: query.$skipToken, filter: { server: keyOf(server) } },
      (row: DroppedRow): [string, number] => [row.name_key, row.deleted_at],
      (after, limit) =>
        listDropped(context.db, context.account, {
          server: keyOf(server),
          nowMs: context.clock.nowMs(),
          after: after && { name: after[0], deletedAtMs: after[1] },
          limit,
        }),
    );
    return {
      value: rows.map((row) => shown(row, server)),
      ...(nextToken !== undefined && { nextLink: nextLinkOf(context, nextToken) }),
    };
  },
});
