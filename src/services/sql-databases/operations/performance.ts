/** Selects the service objective or elastic pool of a database. */
import type { Context } from "#kernel/operation";
import {
  countLinked,
  findById,
  isIdOfType,
  keyOf,
  type ManagedResource,
  makeResource,
  type Preparation,
} from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../domain/database.ts";
import {
  DEFAULT_OBJECTIVE,
  findObjective,
  type Objective,
  objectiveOf,
  POOL_OBJECTIVE,
  pooledObjective,
  type Sku,
} from "../domain/objectives.ts";
import { POOL_DATABASES_MAX } from "../domain/pools.ts";
import { errors } from "../errors.ts";
import type { WantedDatabase } from "../wire.ts";
import type { Origin } from "./origins.ts";
import { pools } from "./pools.ts";

/** In an elastic pool, the pool's tier determines the limits. */
export const currentObjective = ({ properties, envelope }: ManagedResource<DatabaseProperties>): Objective =>
  findObjective(properties.currentServiceObjectiveName) ??
  pooledObjective((envelope.sku as Sku | undefined)?.tier);

/** The requested pool. It is created implicitly, unless parents must exist. */
async function getPool(
  poolId: string,
  about: Preparation<DatabaseProperties>,
  context: Context,
): Promise<ManagedResource> {
  if (!isIdOfType(poolId, "Vendor.Sql/servers/elasticPools"))
    throw errors.invalidResourceId(`'${poolId.slice(0, 200)}' is not the identifier of an elastic pool.`, {
      target: "properties.elasticPoolId",
    });
  const key = keyOf(poolId);
  if (key.slice(0, key.lastIndexOf("/elasticpools/")) !== about.place.parentKey)
    throw errors.mismatchingServer("The elastic pool lies on another server.", {
      target: "properties.elasticPoolId",
    });
  const name = poolId.slice(poolId.lastIndexOf("/") + 1);
  const { subscriptionId, resourceGroup, names } = about.place;
  const found = await findById(context, poolId);
  if (found) return found;
  if (context.config.strictParents)
    throw errors.poolNotFound(`There is no elastic pool '${name}'.`, { target: "properties.elasticPoolId" });
  const at = { subscriptionId, resourceGroup, names: [names[0] ?? "", name] };
  return (await makeResource(context, pools, at, { location: about.parent?.location ?? "westus" })).resource;
}

type Performance = { readonly objective: Objective; readonly pool: ManagedResource | undefined };

async function inPool(
  poolId: string,
  about: Preparation<DatabaseProperties>,
  context: Context,
): Promise<Performance> {
  const pool = await getPool(poolId, about, context);
  if (about.existing?.link !== pool.key) {
    if ((await countLinked(context, DATABASE_TYPE, pool.key)) >= POOL_DATABASES_MAX)
      throw errors.poolFull(`An elastic pool holds at most ${POOL_DATABASES_MAX} databases.`);
  }
  return { objective: pooledObjective((pool.envelope.sku as Sku).tier), pool };
}
/** The database's current pool, or the pool of its source on the same server. */
async function findKeptPool(
  { existing }: Preparation<DatabaseProperties>,
  origin: Origin | undefined,
  context: Context,
): Promise<string | undefined> {
  if (existing) return existing.properties.elasticPoolId;
  return origin?.poolId !== undefined && (await findById(context, origin.poolId)) ? origin.poolId : undefined;
}
type SkuAsked = Partial<Sku>;
function namedSkuOf(asked: SkuAsked | undefined): Sku | undefined {
  if (asked === undefined) return undefined;
  const { name } = asked;
  if (name === undefined || name === "")
    throw errors.missingSkuName("The SKU has no name.", { target: "sku.name" });
  return name.toLowerCase() === POOL_OBJECTIVE.toLowerCase() ? undefined : { ...asked, name };
}

/**
 * Precedence: the requested SKU or pool, the current pool or the source's, the existing objective, the
 * source's objective, the default.
 */
export async function performanceOf(
  about: Preparation<DatabaseProperties>,
  origin: Origin | undefined,
  context: Context,
): Promise<Performance> {
  const asked = about.body.sku as SkuAsked | undefined;
  const named = namedSkuOf(asked);
  const { elasticPoolId } = (about.body.properties ?? {}) as WantedDatabase;
  if (elasticPoolId !== undefined && named) throw errors.poolOrSku("Give either an elastic pool or a SKU.");
  if (named) return { objective: objectiveOf(named), pool: undefined };
  const poolId = elasticPoolId ?? (await findKeptPool(about, origin, context));
  if (poolId !== undefined) return inPool(poolId, about, context);
  if (asked !== undefined)
    throw errors.poolSku("The SKU of an elastic pool goes with the pool's elasticPoolId.", { target: "sku" });
  const kept = about.existing && currentObjective(about.existing);
  return {
    objective: kept ?? origin?.objective ?? (findObjective(DEFAULT_OBJECTIVE) as Objective),
    pool: undefined,
  };
}
