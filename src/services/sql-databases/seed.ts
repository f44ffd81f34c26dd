/** Demo data: a server with a shop database, a copy of it, a pool and a data warehouse. */
import type { Context } from "#kernel/operation";
import { demoSubscriptionOf, findById, makeResource } from "#kernel/resource-provider";
import { databases } from "./operations/databases.ts";
import { pools } from "./operations/pools.ts";
import { servers } from "./operations/servers.ts";

const GROUP = "data-rg";
const SERVER = "shop-sql";

export async function seed(context: Context): Promise<void> {
  const subscriptionId = demoSubscriptionOf(context.account);
  const base = `/subscriptions/${subscriptionId}/resourceGroups/${GROUP}/providers/Vendor.Sql/servers/${SERVER}`;
  if (await findById(context, base)) return;
  const place = (...names: string[]) => ({
    subscriptionId,
    resourceGroup: GROUP,
    names: [SERVER, ...names],
  });
  const location = "westeurope";
  await makeResource(context, servers, place(), {
    location,
    tags: { environment: "demo" },
    properties: { administratorLogin: "shopadmin" },
  });
  await makeResource(context, pools, place("tenants"), {
    location,
    sku: { name: "StandardPool", capacity: 100 },
  });
  await makeResource(context, databases, place("orders"), {
    location,
    tags: { team: "shop" },
    sku: { name: "S1" },
  });
  await makeResource(context, databases, place("catalogue"), {
    location,
    sku: { name: "GP_Gen5", capacity: 4 },
  });
  await makeResource(context, databases, place("sales-warehouse"), { location, sku: { name: "DW200c" } });
  for (const tenant of ["tenant-a", "tenant-b"])
    await makeResource(context, databases, place(tenant), {
      location,
      properties: { elasticPoolId: `${base}/elasticPools/tenants` },
    });
}
