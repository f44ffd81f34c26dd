/** Editions and service objectives with their limits. */
import { errors } from "../errors.ts";

const MB = 1024 ** 2;
export const GB = 1024 ** 3;
const TB = 1024 ** 4;

export type Sku = {
  readonly name: string;
  readonly tier?: string;
  readonly family?: string;
  readonly capacity?: number;
  readonly size?: string;
};
/** A service objective. */
export type Objective = {
  /** `S0`, `GP_Gen5_2`, `DW100c`. */
  readonly name: string;
  readonly tier: string;
  readonly family?: string;
  readonly capacity: number;
  /** `sku.name` in responses: `Standard`, `GP_Gen5`, `DataWarehouse`. */
  readonly skuName: string;
  readonly sizeBytesMax: number;
  readonly sizeBytesDefault: number;
};

const dtu = (
  tier: string,
  sizes: Readonly<Record<string, number>>,
  limit: (capacity: number) => number,
  usual: number,
): Objective[] =>
  Object.entries(sizes).map(([name, capacity]) => ({
    name,
    tier,
    capacity,
    skuName: tier,
    sizeBytesMax: limit(capacity),
    sizeBytesDefault: Math.min(usual, limit(capacity)),
  }));
const vCore = (
  prefix: string,
  tier: string,
  family: string,
  cores: readonly number[],
  sizeBytesMax: number,
): Objective[] =>
  cores.map((capacity) => ({
    name: `${prefix}_${family}_${capacity}`,
    tier,
    family,
    capacity,
    skuName: `${prefix}_${family}`,
    sizeBytesMax,
    sizeBytesDefault: 32 * GB,
  }));
const warehouse = (units: readonly number[], suffix: string): Objective[] =>
  units.map((capacity) => ({
    name: `DW${capacity}${suffix}`,
    tier: "DataWarehouse",
    capacity: capacity * 9,
    skuName: `DW${capacity}${suffix}`,
    sizeBytesMax: 240 * TB,
    sizeBytesDefault: 240 * TB,
  }));

const GEN4 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 24];
const GEN5 = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40, 80];
const SERVERLESS = [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32, 40];

export const objectives: readonly Objective[] = [
  ...dtu("Free", { Free: 5 }, () => 32 * MB, 32 * MB),
  ...dtu("Basic", { Basic: 5 }, () => 2 * GB, 2 * GB),
  ...dtu(
    "Standard",
    { S0: 10, S1: 20, S2: 50, S3: 100, S4: 200, S6: 400, S7: 800, S9: 1600, S12: 3000 },
    (capacity) => (capacity >= 100 ? TB : 250 * GB),
    250 * GB,
  ),
  ...dtu(
    "Premium",
    { P1: 125, P2: 250, P4: 500, P6: 1000, P11: 1750, P15: 4000 },
    (capacity) => (capacity >= 1750 ? 4 * TB : TB),
    500 * GB,
  ),
  ...vCore("GP", "GeneralPurpose", "Gen4", GEN4, 4 * TB),
  ...vCore("GP", "GeneralPurpose", "Gen5", GEN5, 4 * TB),
  ...vCore("GP_S", "GeneralPurpose", "Gen5", SERVERLESS, 4 * TB),
  ...vCore("BC", "BusinessCritical", "Gen4", GEN4, TB),
  ...vCore("BC", "BusinessCritical", "Gen5", GEN5, 4 * TB),
  ...vCore("HS", "Hyperscale", "Gen5", GEN5, 100 * TB),
  ...warehouse([100, 200, 300, 400, 500, 600, 1000, 1200, 1500, 2000, 3000, 6000], ""),
  ...warehouse(
    [100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 5000, 6000, 7500, 10000, 15000, 30000],
    "c",
  ),
];
export const DEFAULT_OBJECTIVE = "GP_Gen5_2";
export const POOL_OBJECTIVE = "ElasticPool";

const same = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase();

export const isVCore = ({ family }: { family?: string }): boolean => family !== undefined;
export const isServerless = ({ skuName }: Objective): boolean => skuName.startsWith("GP_S_");
export const isDataWarehouse = ({ tier }: { tier: string }): boolean => tier === "DataWarehouse";
/** First-generation sizes without a second-generation counterpart map to the next smaller one. */
const UPGRADED_UNITS: Readonly<Record<string, string>> = { DW600: "DW500c", DW1200: "DW1000c" };
/** First-generation data warehouses can be upgraded to the second generation, whose names end in `c`. */
export const upgradedWarehouse = (name: string): Objective | undefined =>
  /^DW\d+$/.test(name) ? findObjective(UPGRADED_UNITS[name] ?? `${name}c`) : undefined;

export const findObjective = (name: string): Objective | undefined =>
  objectives.find((one) => same(one.name, name));

/** Databases in an elastic pool have the limits of this objective of the pool's tier. */
const POOL_LIKE: Readonly<Record<string, string>> = {
  Basic: "Basic",
  Standard: "S3",
  Premium: "P1",
  GeneralPurpose: "GP_Gen5_2",
  BusinessCritical: "BC_Gen5_2",
};
export function pooledObjective(tier: string | undefined): Objective {
  const like = findObjective(POOL_LIKE[tier ?? ""] ?? "S3") as Objective;
  return { ...like, name: POOL_OBJECTIVE, skuName: POOL_OBJECTIVE, capacity: 0 };
}

/** Finds an objective by its name (`S1`, `GP_Gen5_4`), or by edition and capacity. */
export function objectiveOf(sku: Sku): Objective {
  const named = findObjective(sku.name);
  const family = objectives.filter((one) => same(one.skuName, sku.name));
  if (!named && family.length === 0)
    throw errors.invalidSkuName(`There is no service objective or edition named '${sku.name}'.`, {
      target: "sku.name",
    });
  const chosen = named ?? family.find(({ capacity }) => capacity === (sku.capacity ?? family[0]?.capacity));
  if (!chosen) {
    const there = family.map(({ capacity }) => capacity).join(", ");
    throw errors.skuAndCapacity(`'${sku.name}' has no capacity ${sku.capacity}; there are ${there}.`, {
      target: "sku.capacity",
    });
  }
  checkAgreement(sku, chosen);
  return chosen;
}
function checkAgreement(sku: Sku, chosen: Objective): void {
  if (sku.capacity !== undefined && sku.capacity !== chosen.capacity)
    throw errors.skuAndCapacity(`'${sku.name}' has a capacity of ${chosen.capacity}, not ${sku.capacity}.`, {
      target: "sku.capacity",
    });
  if (sku.tier !== undefined && !same(sku.tier, chosen.tier))
    throw errors.skuAndTier(`'${sku.name}' belongs to the tier ${chosen.tier}, not ${sku.tier}.`, {
      target: "sku.tier",
    });
  if (sku.family !== undefined && !same(sku.family, chosen.family))
    throw errors.skuAndFamily(`'${sku.name}' does not belong to the family ${sku.family}.`, {
      target: "sku.family",
    });
}
export const skuOf = (objective: Objective): Sku => ({
  name: objective.skuName,
  tier: objective.tier,
  ...(objective.family !== undefined && { family: objective.family }),
  capacity: objective.capacity,
});

/** Valid sizes of DTU editions. Other editions accept any whole number of GB. */
const DTU_SIZES_GB = [
  0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 40, 50, 100, 150, 200, 250, 300, 400, 500, 750, 1024, 1280, 1536, 1792,
  2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840, 4096,
];
export function isMaxSize(objective: Objective, bytes: number): boolean {
  const fits = bytes > 0 && bytes <= objective.sizeBytesMax;
  const exact =
    isVCore(objective) || isDataWarehouse(objective)
      ? bytes % GB === 0
      : objective.tier === "Free" || DTU_SIZES_GB.some((size) => Math.abs(size * GB - bytes) < MB * 5);
  return fits && exact;
}
export function checkMaxSize(objective: Objective, bytes: number): void {
  if (isMaxSize(objective, bytes)) return;
  throw errors.maxSize(
    `${bytes} bytes are not a size of the tier ${objective.tier}, which allows up to ${objective.sizeBytesMax}.`,
    { target: "properties.maxSizeBytes" },
  );
}
