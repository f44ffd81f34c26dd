/** Places, bodies and calls for tests of SQL databases. */
import type { Instance } from "./medley.ts";

export const VERSION = "api-version=2017-10-01-preview";
export const sqlDatabaseServices = ["sql-databases", "resource-manager"];
export const GB = 1024 ** 3;

let counter = 0;
/** Every test has a subscription of its own. */
export function newPlace() {
  counter += 1;
  const servers = `/subscriptions/sql-${counter}/resourceGroups/data/providers/Vendor.Sql/servers`;
  const on = (server: string) => {
    const id = `${servers}/${server}`;
    const url = (rest = "") => `/management${id}${rest}?${VERSION}`;
    return {
      id,
      url: url(),
      list: url("/databases"),
      dropped: url("/restorableDroppedDatabases"),
      at: (database: string, action = "") => url(`/databases/${encodeURIComponent(database)}${action}`),
      idOf: (database: string) => `${id}/databases/${database}`,
      pool: (name: string) => url(`/elasticPools/${name}`),
      inPool: (name: string) => url(`/elasticPools/${name}/databases`),
      poolId: (name: string) => `${id}/elasticPools/${name}`,
    };
  };
  return { on, ...on("main") };
}
/** A SKU may be given by its name alone. */
export const databaseBody = (properties?: Record<string, unknown>, sku?: unknown) => ({
  location: "westeurope",
  ...(properties && { properties }),
  ...(sku !== undefined && { sku: typeof sku === "string" ? { name: sku } : sku }),
});
export const put = (instance: Instance, path: string, properties?: Record<string, unknown>, sku?: unknown) =>
  instance.bearer("PUT", path, { body: databaseBody(properties, sku) });
export const refusal = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body.error?.code,
];
