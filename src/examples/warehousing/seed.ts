/** Demo data; seeding again changes nothing. */
import type { Context } from "#kernel/operation";
import { demoSubscriptionOf, findById, groupIdOf, makeResource } from "#kernel/resource-provider";
import { depots } from "./operations/depots.ts";

const GROUP = "depots-rg";

export async function seed(context: Context): Promise<void> {
  const subscriptionId = demoSubscriptionOf(context.account);
  for (const [name, shelves] of [
    ["north", 40],
    ["south", 12],
  ] as const) {
    const id = `${groupIdOf(subscriptionId, GROUP)}/providers/Vendor.Warehousing/depots/${name}`;
    if (await findById(context, id)) continue;
    const place = { subscriptionId, resourceGroup: GROUP, names: [name] };
    await makeResource(context, depots, place, { location: "westeurope", properties: { shelves } });
  }
}
