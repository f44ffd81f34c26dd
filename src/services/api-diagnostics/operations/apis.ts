/** APIs of an instance and their operations. */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { OutboundError, parseTargetUrl } from "#kernel/outbound";
import {
  changeResource,
  type Desired,
  findById,
  listChildren,
  type Preparation,
  removeResource,
  resourceType,
} from "#kernel/resource-provider";
import {
  type ImportFormat,
  OPERATIONS_MAX,
  type OperationDetails,
  revisionName,
  revisionOf,
  segmentsOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  type ApiProperties,
  apiAnswer,
  apiBody,
  apiFilter,
  apiPatch,
  apiQuery,
  operationAnswer,
  operationBody,
  operationPatch,
} from "../wire/apis.ts";
import { nameFilter } from "../wire/shared.ts";
import { descriptionIn, exportApi, importOperations, OPERATION_TYPE, withJson } from "./api-documents.ts";
import { childFurniture, gatewayChanged, invalid, listsBy, requireRoom } from "./child.ts";
import { addressOf, instances, originOf } from "./instances.ts";
import { forgetApi, listProductsOfApi } from "./products.ts";
import {
  API_TYPE,
  APIS_MAX,
  copyBelow,
  findNamedApi,
  listRevisions,
  otherRevisions,
  revisionFor,
  storedName,
} from "./revisions.ts";

const PATH = /^[A-Za-z0-9\-._~!$'()*,;=@/%]*$/;
const METHOD = /^(?:\*|[A-Z][A-Z-]{0,19})$/;
const DEFAULT_KEY_NAMES = { header: "Ocp-Apim-Subscription-Key", query: "subscription-key" };

function checkBackend(serviceUrl: string | undefined): void {
  if (serviceUrl === undefined) return;
  try {
    const { search } = parseTargetUrl(serviceUrl);
    if (search !== "") throw invalid("serviceUrl must not have a query.", "properties.serviceUrl");
  } catch (error) {
    if (error instanceof OutboundError)
      throw invalid(`serviceUrl: ${error.message}`, "properties.serviceUrl");
    throw error;
  }
}
const pathOf = (path: string): string => segmentsOf(path).join("/");

type Wanted = Desired<ApiProperties>;
async function requireOwnPath(path: string, { place }: Preparation, context: Context): Promise<void> {
  const all = await listChildren<ApiProperties>(context, API_TYPE, place.parentKey, { limit: APIS_MAX });
  const own = revisionOf(place.names.at(-1) ?? "").base.toLowerCase();
  const taken = all.find(
    (other) =>
      revisionOf(other.name).base.toLowerCase() !== own &&
      other.properties.path.toLowerCase() === path.toLowerCase(),
  );
  if (taken) throw invalid(`The path '${path}' belongs to the API '${taken.name}'.`, "properties.path");
}
/** Defaults that a copy takes from its source API. */
async function copiedFrom(
  { sourceApiId }: ApiProperties,
  { existing, place }: Pick<Preparation, "existing" | "place">,
  context: Context,
): Promise<Partial<ApiProperties>> {
  if (existing || !sourceApiId) return {};
  const source = await findNamedApi(context, place.parentKey, sourceApiId);
  if (!source) throw invalid("sourceApiId names no API of this instance.", "properties.sourceApiId");
  const {
    apiRevision: _revision,
    apiRevisionDescription: _words,
    isCurrent: _flag,
    ...copied
  } = source.properties;
  return copied;
}
async function prepareApi(
  wanted: Wanted,
  about: Preparation<ApiProperties>,
  context: Context,
): Promise<Wanted> {
  await requireRoom(context, about, { type: API_TYPE, max: APIS_MAX, things: "APIs" });
  const { format, value, ...given } = wanted.properties;
  const { current, apiRevision } = await revisionFor(given, about, context);
  const described = descriptionIn(wanted.properties);
  checkBackend(given.serviceUrl ?? described?.serviceUrl);
  if (!PATH.test(given.path) || revisionOf(given.path).revision !== undefined)
    throw invalid("path holds characters that paths cannot carry.", "properties.path");
  const path = pathOf(given.path);
  await requireOwnPath(path, about as Preparation, context);
  const defaults = {
    displayName: revisionOf(about.place.names.at(-1) ?? "").base,
    protocols: ["http", "https"] as const,
    subscriptionRequired: true,
    type: "http",
  };
  const { operations: _operations, schemas: _schemas, ...imported } = described ?? {};
  const copied = await copiedFrom(given, about, context);
  const properties = { ...defaults, ...imported, ...copied, ...given };
  const names = { ...DEFAULT_KEY_NAMES, ...properties.subscriptionKeyParameterNames };
  const own = { path, apiRevision, isCurrent: current === undefined, subscriptionKeyParameterNames: names };
  return { ...wanted, properties: { ...properties, ...own } };
}
export const apis = resourceType<ApiProperties>({
  ...childFurniture("orders"),
  name: "apis",
  title: "API",
  parent: instances,
  parameter: "apiId",
  idWords: "apis",
  descriptions: {
    get: "`export=true` adds an OpenAPI document of the operations and schemas. `{name};rev={n}` names a revision.",
    put: `An OpenAPI document in \`value\` replaces the operations; operations that remain keep their policies. A PUT to \`{name};rev={n}\` with \`sourceApiId\` creates a revision as a copy, at its own path until a release makes it current. The path belongs to one API. An instance may have ${APIS_MAX} APIs, and an API ${OPERATIONS_MAX} operations. Gateways of all nodes use the change at their next call.`,
    patch: "A new path applies to all revisions. Gateways of all nodes use the change at their next call.",
    delete:
      "An API with further revisions needs `deleteRevisions=true`. The API is removed from its products.",
  },
  wire: { put: apiBody, patch: apiPatch, answer: apiAnswer },
  lists: listsBy(apiFilter),
  getQuery: apiQuery,
  deleteQuery: Type.Object({
    deleteRevisions: Type.Optional(
      Type.Boolean({ description: "Whether all revisions are deleted.", examples: [true] }),
    ),
  }),
  actions: [listRevisions, listProductsOfApi()],
  errors: [errors.validation],
  resolveName: storedName,
  received: withJson,
  prepare: prepareApi,
  async written(api, previous, context, body) {
    const { path } = api.properties;
    const given = (body.properties ?? {}) as Partial<ApiProperties>;
    if (!previous && given.sourceApiId) {
      const { sourceApiId } = given;
      const source = await findNamedApi(context, api.parentKey, sourceApiId);
      if (source) await copyBelow(context, source, api);
    }
    const described = descriptionIn(given);
    if (described) await importOperations(context, api, described);
    if (previous && previous.properties.path !== path)
      for (const other of await otherRevisions(context, api))
        await changeResource(context, other, { properties: { ...other.properties, path } });
    await gatewayChanged(api, context);
  },
  async mayDelete(api, context, { deleteRevisions }) {
    if (!deleteRevisions && (await otherRevisions(context, api)).length > 0)
      throw invalid(
        "The API has other revisions. Delete them first, or ask for that with deleteRevisions=true.",
        "deleteRevisions",
      );
  },
  async removed(api, context) {
    if (revisionOf(api.name).revision === undefined) {
      for (const other of await otherRevisions(context, api)) await removeResource(context, other);
      await forgetApi(context, api);
    }
    await gatewayChanged(api, context);
  },
  present: ({ name, properties }) => ({
    ...properties,
    isCurrent: revisionOf(name).revision === undefined,
    isOnline: true,
  }),
  async presentWhole(body, api, context, query) {
    if (query.export !== true) return body;
    const instance = await findById(context, api.parentKey);
    const address = instance ? await addressOf(instance, context) : "";
    const { base, revision } = revisionOf(api.name);
    const { path } = api.properties;
    const below = base === api.name || revision === undefined ? path : revisionName(path, revision);
    const url = `${originOf(context)}/gateway/${address}${below === "" ? "" : `/${below}`}`;
    const { format = "openapi+json" } = query as { format?: ImportFormat };
    return { ...body, ...(await exportApi(context, api, url, format)) };
  },
});

export const apiOperations = resourceType<OperationDetails>({
  ...childFurniture("read-order"),
  name: "operations",
  title: "operation of an API",
  parent: apis,
  parameter: "operationId",
  idWords: "api-operations",
  descriptions: {
    put: `The gateway forwards only calls that fit the method and template of an operation. An API may have ${OPERATIONS_MAX} operations. Gateways of all nodes use the change at their next call.`,
    patch: "Gateways of all nodes use the change at their next call.",
    delete: "Calls to it get 404 afterwards.",
  },
  wire: { put: operationBody, patch: operationPatch, answer: operationAnswer },
  lists: listsBy(nameFilter("operations", "read-order")),
  errors: [errors.validation],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: OPERATION_TYPE, max: OPERATIONS_MAX, things: "operations" });
    const method = wanted.properties.method.toUpperCase();
    if (!METHOD.test(method)) throw invalid("method must be the name of a method.", "properties.method");
    if (!wanted.properties.urlTemplate.startsWith("/"))
      throw invalid("urlTemplate must begin with a slash.", "properties.urlTemplate");
    return { ...wanted, properties: { ...wanted.properties, method } };
  },
});
