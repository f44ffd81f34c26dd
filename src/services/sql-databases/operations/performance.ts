/** Which service objective or elastic pool a database gets. */
import type { Context } from "#kernel/operation";
import {
  type Desired,
  findById,
  isIdOfType,
  keyOf,
  listLinked,
  type ManagedResource,
  makeResource,
  type Preparation,
} from "#kernel/resource-provider";
import {
  DEFAULT_OBJECTIVE,
  findObjective,
  type Objective,
  objectiveOf,
  POOL_OBJECTIVE,
  type Sku,
} from "../domain/objectives.ts";
import { POOL_DATABASES_MAX } from "../domain/pools.ts";
import { errors } from "../errors.ts";
import { DATABASE_TYPE, type DatabaseProperties, type WantedDatabase } from "../wire.ts";
import type { Origin } from "./origins.ts";
import { pools } from "./pools.ts";

export const currentObjective = ({
  properties,
}: ManagedResource<DatabaseProperties>): Objective | undefined =>
  findObjective(properties.currentServiceObjectiveName);

/** The pool that a database asks for; made on first use unless parents must exist beforehand. */
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

/** By the pool, or by the SKU that was asked for, or as it was, or as its origin is. */
export async function performanceOf(
  wanted: Desired<DatabaseProperties>,
  about: Preparation<DatabaseProperties>,
  origin: Origin | undefined,
  context: Context,
): Promise<Performance> {
  const asked = about.body.sku as Sku | undefined;
  const given = about.body.properties as WantedDatabase | undefined;
  const named = asked !== undefined && asked.name.toLowerCase() !== POOL_OBJECTIVE.toLowerCase();
  if (asked !== undefined && asked.name === "")
    throw errors.missingSkuName("The SKU has no name.", { target: "sku.name" });
  if (given?.elasticPoolId !== undefined && named)
    throw errors.poolOrSku("Give either an elastic pool or a SKU.");
  const poolId = given?.elasticPoolId ?? (named ? undefined : wanted.properties.elasticPoolId);
  if (poolId !== undefined) {
    const pool = await getPool(poolId, about, context);
    const inside = await listLinked(context, DATABASE_TYPE, pool.key, { limit: POOL_DATABASES_MAX + 1 });
    if (inside.filter(({ key }) => key !== about.place.key).length >= POOL_DATABASES_MAX)
      throw errors.poolFull(`An elastic pool holds at most ${POOL_DATABASES_MAX} databases.`);
    const sku = pool.envelope.sku as Sku;
    const like =
      {
        Basic: "Basic",
        Standard: "S3",
        Premium: "P1",
        GeneralPurpose: "GP_Gen5_2",
        BusinessCritical: "BC_Gen5_2",
      }[sku.tier ?? ""] ?? "S3";
    return {
      objective: {
        ...(findObjective(like) as Objective),
        name: POOL_OBJECTIVE,
        skuName: POOL_OBJECTIVE,
        capacity: 0,
      },
      pool,
    };
  }
  if (named) return { objective: objectiveOf(asked), pool: undefined };
  const kept = about.existing && currentObjective(about.existing);
  return {
    objective: kept ?? origin?.objective ?? (findObjective(DEFAULT_OBJECTIVE) as Objective),
    pool: undefined,
  };
}
