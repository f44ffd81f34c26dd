/** Actions of a store: access keys, and reading one key-value. */

import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { Context } from "#kernel/operation";
import type { Action } from "#kernel/resource-provider";
import { regenerateAccessKey } from "../access/keys.ts";
import { NO_LABEL } from "../domain/filters.ts";
import { endpointOf } from "../endpoint.ts";
import { storeErrors } from "../errors.ts";
import { findAccessKey, findValue, keyValueOf, listAccessKeys } from "../store/index.ts";
import type { AccessKeyRow } from "../tables.ts";
import type { StoreProperties } from "./store-properties.ts";
import { ApiKey, ApiKeys, KeyValueAnswer, KeyValueRequest, RegenerateBody } from "./wire.ts";

function apiKeyOf(context: Context, storeName: string, key: AccessKeyRow) {
  const value = context.secrets.open(key.secret);
  return {
    id: key.id,
    name: key.name,
    value,
    connectionString: `Endpoint=${endpointOf(context, storeName)};Id=${key.id};Secret=${value}`,
    lastModified: isoOf(key.last_modified),
    readOnly: key.read_only === 1,
  };
}

export const listKeys: Action<StoreProperties> = {
  name: "ListKeys",
  idWords: "list-keys",
  summary: "Lists the access keys of a configuration store.",
  description:
    "Returns the secrets and connection strings of two full and two read-only keys. Empty if `disableLocalAuth` is set. Clients sign requests to `endpoint` with a key.",
  query: Type.Object({ $skipToken: Type.Optional(Type.String()) }),
  answers: { 200: ApiKeys },
  exclusive: false,
  async handle({ resource }, context) {
    const keys = await listAccessKeys(context.db, resource.name.toLowerCase());
    return { value: keys.map((key) => apiKeyOf(context, resource.name, key)) };
  },
};

export const regenerateKey: Action<StoreProperties> = {
  name: "RegenerateKey",
  idWords: "regenerate-key",
  summary: "Generates a new secret for an access key of a configuration store.",
  description:
    "The old secret stops working immediately; the id stays. Change clients to the other key of the same kind first.",
  body: RegenerateBody,
  answers: { 200: ApiKey },
  errors: [storeErrors.keyRequired, storeErrors.keyNotFound],
  exclusive: false,
  async handle({ resource, body }, context) {
    if (!body.id) throw storeErrors.keyRequired("The id of an access key is required.", { target: "id" });
    const key = await findAccessKey(context.db, body.id);
    if (key?.store !== resource.name.toLowerCase())
      throw storeErrors.keyNotFound(`The store '${resource.name}' has no access key with that id.`, {
        target: "id",
      });
    return apiKeyOf(context, resource.name, await regenerateAccessKey(context, key));
  },
};

export const listKeyValue: Action<StoreProperties> = {
  name: "listKeyValue",
  idWords: "list-key-value",
  summary: "Reads one key-value of a configuration store.",
  description:
    "For callers of the management API; it needs no access key. Without `label` it reads the key-value that has none.",
  body: KeyValueRequest,
  answers: { 200: KeyValueAnswer },
  errors: [storeErrors.keyValueNotFound],
  exclusive: false,
  async handle({ resource, body }, context) {
    const label = body.label ?? NO_LABEL;
    const row = await findValue(context.db, resource.name.toLowerCase(), { key: body.key, label });
    if (!row)
      throw storeErrors.keyValueNotFound(`The store '${resource.name}' has no such key-value.`, {
        target: "key",
      });
    const { key, value, contentType, etag, lastModifiedMs, locked, tags } = keyValueOf(row);
    return {
      key,
      label: label === NO_LABEL ? null : label,
      value,
      contentType,
      eTag: etag,
      lastModified: isoOf(lastModifiedMs),
      locked,
      tags,
    };
  },
};
