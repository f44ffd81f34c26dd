/** Elastic pools and their limits. */
import { errors } from "../errors.ts";
import type { Sku } from "./objectives.ts";

const CAPACITIES: Readonly<
  Record<string, { readonly tier: string; readonly family?: string; readonly capacities: readonly number[] }>
> = {
  BasicPool: { tier: "Basic", capacities: [50, 100, 200, 300, 400, 800, 1200, 1600] },
  StandardPool: { tier: "Standard", capacities: [50, 100, 200, 300, 400, 800, 1200, 1600, 2000, 2500, 3000] },
  PremiumPool: { tier: "Premium", capacities: [125, 250, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000] },
  GP_Gen5: {
    tier: "GeneralPurpose",
    family: "Gen5",
    capacities: [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40, 80],
  },
  BC_Gen5: {
    tier: "BusinessCritical",
    family: "Gen5",
    capacities: [4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40, 80],
  },
};
export const POOL_DATABASES_MAX = 500;

export type PoolSkuAsked = Partial<Sku>;
/** The requested SKU, else the existing one, else the default. */
export function poolSkuOf(asked: PoolSkuAsked | undefined, existing?: Sku): Sku {
  const { name, capacity } = asked ?? existing ?? { name: "StandardPool", capacity: 100 };
  if (name === undefined || name === "")
    throw errors.missingSkuName("The SKU has no name.", { target: "sku.name" });
  const [skuName, kind] =
    Object.entries(CAPACITIES).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  if (!kind || skuName === undefined)
    throw errors.invalidSkuName(`There is no elastic pool of the kind '${name}'.`, { target: "sku.name" });
  const chosen = capacity ?? kind.capacities[0] ?? 0;
  if (!kind.capacities.includes(chosen))
    throw errors.skuAndCapacity(
      `'${name}' has no capacity ${chosen}; there are ${kind.capacities.join(", ")}.`,
      { target: "sku.capacity" },
    );
  checkTierAndFamily(asked ?? {}, kind);
  return {
    name: skuName,
    tier: kind.tier,
    ...(kind.family !== undefined && { family: kind.family }),
    capacity: chosen,
  };
}

function checkTierAndFamily(
  asked: PoolSkuAsked,
  kind: { readonly tier: string; readonly family?: string },
): void {
  const differs = (one: string | undefined, other: string | undefined) =>
    one !== undefined && one.toLowerCase() !== other?.toLowerCase();
  if (differs(asked.tier, kind.tier))
    throw errors.skuAndTier(`'${asked.name}' belongs to the tier ${kind.tier}, not ${asked.tier}.`, {
      target: "sku.tier",
    });
  if (differs(asked.family, kind.family))
    throw errors.skuAndFamily(`'${asked.name}' does not belong to the family ${asked.family}.`, {
      target: "sku.family",
    });
}
