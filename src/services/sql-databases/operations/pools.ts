/** Elastic pools: several databases that share one capacity. */

import { isoOf } from "#kernel/clock";
import { resourceType } from "#kernel/resource-provider";
import { poolSkuOf } from "../domain/pools.ts";
import { errors } from "../errors.ts";
import { DATABASE_TYPE, type PoolProperties, pool, poolBody, poolPatch } from "../wire.ts";
import { servers } from "./servers.ts";

export const pools = resourceType<PoolProperties>({
  name: "elasticPools",
  title: "elastic pool",
  parent: servers,
  parameter: "elasticPoolName",
  idWords: "pools",
  nameRule: {
    pattern: /^[^<>*%&:\\/?]{1,128}$/,
    says: "it has 1 to 128 characters and none of < > * % & : \\ / ?",
  },
  catalogType: "ElasticPool",
  wire: { put: poolBody, patch: poolPatch, answer: pool },
  errors: [errors.invalidSkuName, errors.skuAndCapacity],
  linkedLists: [
    {
      name: "databases",
      summary: "Lists the databases of an elastic pool.",
      of: () => DATABASE_TYPE,
      missing: ({ names: [, name] }) => errors.poolUnknown(`There is no elastic pool '${name}'.`),
    },
  ],
  implied: () => ({ location: "westus", envelope: { sku: poolSkuOf(undefined) }, properties: {} }),
  prepare: ({ envelope, ...wanted }, { existing }) => ({
    ...wanted,
    properties: { ...existing?.properties, ...wanted.properties },
    envelope: {
      ...envelope,
      sku: poolSkuOf((envelope?.sku ?? existing?.envelope.sku) as { name: string } | undefined),
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
