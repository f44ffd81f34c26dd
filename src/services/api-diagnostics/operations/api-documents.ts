/** API descriptions: import from and export to OpenAPI documents. */
import type { Context } from "#kernel/operation";
import {
  changeResource,
  insertResource,
  keyOf,
  listChildren,
  type ManagedResource,
  newEtag,
  type Properties,
  removeResource,
} from "#kernel/resource-provider";
import {
  DocumentError,
  type ImportFormat,
  type NamedOperation,
  OPERATIONS_MAX,
  type OperationDetails,
  readDescription,
  writeOpenApi,
} from "../domain/index.ts";
import type { ApiProperties } from "../wire/apis.ts";
import type { SchemaProperties } from "../wire/revisions.ts";
import { jsonOfYaml, yamlOf } from "../yaml/index.ts";
import { fullTypeBelow, invalid } from "./child.ts";

export const OPERATION_TYPE = fullTypeBelow("api", "operations");
export const SCHEMA_TYPE = fullTypeBelow("api", "schemas");
export const SCHEMAS_MAX = 50;
const IMPORTED_SCHEMAS = "imported";
const CONTENT_TYPE = "application/vnd.oai.openapi.components+json";

type Api = ManagedResource<ApiProperties>;
type Described = ReturnType<typeof readDescription>;
const refusal = (error: unknown): unknown =>
  error instanceof DocumentError ? invalid(`value: ${error.message}`, "properties.value") : error;
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
/** Converts a YAML description in the body to JSON. */
export async function withJson(body: Properties, account: string): Promise<Properties> {
  const properties = (body.properties ?? {}) as Partial<ApiProperties>;
  const { format, value } = properties;
  if (format !== "openapi" || value === undefined || isJson(value)) return body;
  try {
    return { ...body, properties: { ...properties, value: await jsonOfYaml(account, value) } };
  } catch (error) {
    throw refusal(error);
  }
}
/** Undefined if the body has no description. */
export function descriptionIn({
  format,
  value,
}: Pick<ApiProperties, "format" | "value">): Described | undefined {
  if (format === undefined && value === undefined) return undefined;
  if (format === undefined || value === undefined)
    throw invalid("format and value are given together.", format ? "properties.value" : "properties.format");
  try {
    return readDescription(value, IMPORTED_SCHEMAS);
  } catch (error) {
    throw refusal(error);
  }
}

function childOf(
  context: Context,
  api: ManagedResource,
  type: string,
  name: string,
  properties: Properties,
): ManagedResource {
  const id = `${api.id}/${type.slice(type.lastIndexOf("/") + 1)}/${name}`;
  const own = { id, key: keyOf(id), name, type, parentKey: api.key, link: undefined, etag: newEtag(context) };
  const nowMs = context.clock.nowMs();
  return { ...api, ...own, properties, secrets: {}, createdAtMs: nowMs, updatedAtMs: nowMs };
}
/**
 * Replaces the API's operations with those of the description. Operations that remain keep their policies.
 */
export async function importOperations(
  context: Context,
  api: ManagedResource,
  { operations, schemas }: Described,
): Promise<void> {
  const byName = async (type: string, limit: number) =>
    new Map(
      (await listChildren(context, type, api.key, { limit })).map((one) => [one.name.toLowerCase(), one]),
    );
  const put = async (before: ManagedResource | undefined, type: string, name: string, given: Properties) => {
    if (before) await changeResource(context, before, { properties: given });
    else await insertResource(context, childOf(context, api, type, name, given));
  };
  const before = await byName(OPERATION_TYPE, OPERATIONS_MAX);
  for (const { id, ...details } of operations) {
    await put(before.get(id.toLowerCase()), OPERATION_TYPE, id, details);
    before.delete(id.toLowerCase());
  }
  for (const gone of before.values()) await removeResource(context, gone);
  const kept = (await byName(SCHEMA_TYPE, SCHEMAS_MAX)).get(IMPORTED_SCHEMAS);
  if (Object.keys(schemas).length > 0) {
    const properties: SchemaProperties = { contentType: CONTENT_TYPE, document: { components: { schemas } } };
    await put(kept, SCHEMA_TYPE, IMPORTED_SCHEMAS, properties);
  } else if (kept) await removeResource(context, kept);
}

/** Export response: an object for JSON, a string for YAML. */
export async function exportApi(
  context: Context,
  api: Api,
  serverUrl: string,
  format: ImportFormat,
): Promise<{ readonly format: ImportFormat; readonly value: unknown }> {
  const operations = await listChildren<OperationDetails>(context, OPERATION_TYPE, api.key, {
    limit: OPERATIONS_MAX,
  });
  const documents = await listChildren<SchemaProperties>(context, SCHEMA_TYPE, api.key, {
    limit: SCHEMAS_MAX,
  });
  const { displayName, description, apiVersion = "1.0" } = api.properties;
  const document = writeOpenApi({
    displayName,
    description,
    version: apiVersion,
    serverUrl,
    operations: operations.map(({ name, properties }): NamedOperation => ({ id: name, ...properties })),
    schemas: Object.assign({}, ...documents.map(({ properties }) => properties.document.components.schemas)),
  });
  return { format, value: format === "openapi" ? await yamlOf(context.account, document) : document };
}
