/** Dropped databases that can still be restored. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import {
  apiVersionQuery,
  groupIdOf,
  keyOf,
  listOf,
  managementErrors,
  requireSubscription,
} from "#kernel/resource-provider";
import { findObjective } from "../domain/objectives.ts";
import { listDropped, type Tables } from "../store.ts";
import { type DatabaseProperties, droppedDatabase } from "../wire.ts";
import { msToTicks } from "./origins.ts";

const LISTED_MAX = 1000;

export const listDroppedDatabases = operationsFor<Tables>()({
  id: "sql-databases.dropped.list",
  summary: "Lists the dropped databases of a server that can be restored.",
  method: "GET",
  path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Vendor.Sql/servers/{serverName}/restorableDroppedDatabases",
  permission: "Vendor.Sql/servers/restorableDroppedDatabases/read",
  params: Type.Object({
    subscriptionId: Type.String(),
    resourceGroupName: Type.String(),
    serverName: Type.String(),
  }),
  query: apiVersionQuery(),
  answers: { 200: listOf(droppedDatabase) },
  errors: Object.values(managementErrors),
  async handle({ params }, context) {
    await requireSubscription(context, params.subscriptionId);
    const server = `${groupIdOf(params.subscriptionId, params.resourceGroupName)}/providers/Vendor.Sql/servers/${params.serverName}`;
    const rows = await listDropped(
      context.db,
      context.account,
      keyOf(server),
      context.clock.nowMs(),
      LISTED_MAX,
    );
    return {
      value: rows.map((row) => {
        const properties: DatabaseProperties & { tier?: string } = JSON.parse(row.properties);
        const name = `${row.name},${msToTicks(row.deleted_at)}`;
        return {
          id: `${server}/restorableDroppedDatabases/${name}`,
          name,
          type: "Vendor.Sql/servers/restorableDroppedDatabases",
          location: row.location,
          properties: {
            databaseName: row.name,
            edition:
              findObjective(properties.currentServiceObjectiveName)?.tier ?? properties.tier ?? "Standard",
            serviceLevelObjective: properties.currentServiceObjectiveName,
            ...(properties.maxSizeBytes !== undefined && { maxSizeBytes: properties.maxSizeBytes }),
            creationDate: isoOf(properties.createdAtMs),
            deletionDate: isoOf(row.deleted_at),
            earliestRestoreDate: isoOf(properties.createdAtMs),
          },
        };
      }),
    };
  },
});
