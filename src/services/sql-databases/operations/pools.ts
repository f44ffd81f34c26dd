/** Elastic pools: databases that share one capacity. */

import { isoOf } from "#kernel/clock";
import { listLinked, resourceType } from "#kernel/resource-provider";
import { DATABASE_TYPE } from "../domain/database.ts";
import type { Sku } from "../domain/objectives.ts";
import { POOL_DATABASES_MAX, type PoolSkuAsked, poolSkuOf } from "../domain/pools.ts";
import { errors } from "../errors.ts";
import { type PoolProperties, pool, poolBody, poolPatch } from "../wire.ts";
import { missingServer, servers } from "./servers.ts";

export const pools = resourceType<PoolProperties>({
  name: "elasticPools",
  title: "elastic pool",
  parent: servers,
  parameter: "elasticPoolName",
  idWords: "pools",
  nameRule: {
    pattern: /^[^<>*%&:\\/?\p{Cc}]{1,128}$/u,
    says: "it has 1 to 128 characters and none of < > * % & : \\ / ?",
    example: "shop-pool",
  },
  catalogType: "ElasticPool",
  descriptions: {
    get: "List its databases with `sql-databases.databases.list-of-pools`.",
    put: `Takes effect immediately. Without a SKU the pool is a StandardPool with 100 eDTU. A pool holds at most ${POOL_DATABASES_MAX} databases; they join by their \`elasticPoolId\`.`,
    patch: "Takes effect immediately; the databases stay in the pool.",
    delete: "Refused while the pool holds databases.",
  },
  wire: { put: poolBody, patch: poolPatch, answer: pool },
  errors: [
    errors.missingSkuName,
    errors.invalidSkuName,
    errors.skuAndCapacity,
    errors.skuAndTier,
    errors.skuAndFamily,
    errors.poolNotEmpty,
    errors.serverNotFound,
    errors.invalidServerName,
  ],
  missingParent: missingServer,
  async mayDelete({ name, key }, context) {
    const [inside] = await listLinked(context, DATABASE_TYPE, key, { limit: 1 });
    if (inside) throw errors.poolNotEmpty(`The elastic pool '${name}' still holds databases.`);
  },
  linkedLists: [
    {
      name: "databases",
      summary: "Lists the databases of an elastic pool.",
      description: "Pages have 100 databases unless `$top` says otherwise. An unknown pool gives 404.",
      of: () => DATABASE_TYPE,
      missing: ({ names: [, name] }) => errors.poolUnknown(`There is no elastic pool '${name}'.`),
    },
  ],
  implied: () => ({ location: "westus", envelope: { sku: poolSkuOf(undefined) }, properties: {} }),
  prepare: ({ envelope, ...wanted }, { existing, body }) => ({
    ...wanted,
    properties: { ...existing?.properties, ...wanted.properties },
    envelope: {
      ...envelope,
      sku: poolSkuOf(body.sku as PoolSkuAsked | undefined, existing?.envelope.sku as Sku | undefined),
    },
  }),
  present: ({ properties, createdAtMs }) => ({
    zoneRedundant: false,
    ...properties,
    state: "Ready",
    creationDate: isoOf(createdAtMs),
  }),
  presentWhole: (body) => ({ ...body, kind: "pool" }),
});
