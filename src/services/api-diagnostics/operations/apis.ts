/** Interfaces of an instance and their operations: what the gateway takes, and where it hands it on to. */
import { OutboundError, parseTargetUrl } from "#kernel/outbound";
import { listChildren, resourceType } from "#kernel/resource-provider";
import { segmentsOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  type ApiOperationProperties,
  type ApiProperties,
  apiAnswer,
  apiBody,
  apiFilter,
  apiPatch,
  operationAnswer,
  operationBody,
  operationPatch,
} from "../wire/apis.ts";
import { nameFilter } from "../wire/shared.ts";
import { childFurniture, fullTypeBelow, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const APIS_MAX = 500;
const OPERATIONS_MAX = 200;
const API_TYPE = fullTypeBelow("instance", "apis");
const OPERATION_TYPE = fullTypeBelow("api", "operations");
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

export const apis = resourceType<ApiProperties>({
  ...childFurniture("orders"),
  name: "apis",
  title: "API",
  parent: instances,
  parameter: "apiId",
  idWords: "apis",
  wire: { put: apiBody, patch: apiPatch, answer: apiAnswer },
  lists: listsBy(apiFilter),
  errors: [errors.validation],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: API_TYPE, max: APIS_MAX, things: "APIs" });
    const { properties } = wanted;
    checkBackend(properties.serviceUrl);
    if (!PATH.test(properties.path))
      throw invalid("path holds characters that paths cannot carry.", "properties.path");
    const path = pathOf(properties.path);
    const others = await listChildren<ApiProperties>(context, API_TYPE, about.place.parentKey, {
      limit: APIS_MAX,
    });
    const taken = others.find(
      (other) => other.key !== about.place.key && other.properties.path.toLowerCase() === path.toLowerCase(),
    );
    if (taken) throw invalid(`The path '${path}' belongs to the API '${taken.name}'.`, "properties.path");
    const defaults = {
      displayName: about.place.names.at(-1) ?? "",
      protocols: ["http", "https"] as const,
      subscriptionRequired: true,
      apiRevision: "1",
      isCurrent: true,
      type: "http",
    };
    const names = { ...DEFAULT_KEY_NAMES, ...properties.subscriptionKeyParameterNames };
    return {
      ...wanted,
      properties: { ...defaults, ...properties, path, subscriptionKeyParameterNames: names },
    };
  },
});

export const apiOperations = resourceType<ApiOperationProperties>({
  ...childFurniture("read-order"),
  name: "operations",
  title: "operation of an API",
  parent: apis,
  parameter: "operationId",
  idWords: "api-operations",
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
