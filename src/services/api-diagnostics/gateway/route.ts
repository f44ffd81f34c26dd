/** Finds the API and operation of a call, and checks its subscription key. */
import type { PassingRequest } from "#kernel/operation";
import { findApi, findOperation, type RoutedOperation, segmentsOf } from "../domain/index.ts";
import * as answers from "./answers.ts";
import { preflightMethodOf } from "./request-head.ts";
import type { Served, ServedApi, ServedProduct } from "./served.ts";

const DEFAULT_KEY_HEADER = "vendor-subscription-key";

export type Route = {
  readonly api: ServedApi;
  readonly operation: RoutedOperation | undefined;
  readonly rest: string;
};
export function findRoute(passing: PassingRequest, served: Served): Route | undefined {
  const { url, scheme, request, isMisleading } = passing;
  if (isMisleading) return undefined;
  const [path = ""] = url.split("?", 1);
  const found = findApi(served.apis, segmentsOf(path));
  if (!found?.api.settings.protocols.includes(scheme)) return undefined;
  const asked = preflightMethodOf(request) ?? request.method ?? "GET";
  const operation = findOperation(found.api, asked, found.rest);
  if (operation === undefined) return undefined;
  const isClosed = path.endsWith("/") && found.rest.length > 0;
  const rest = found.rest.length === 0 ? "" : `/${found.rest.join("/")}${isClosed ? "/" : ""}`;
  return { api: found.api, operation: operation === "any" ? undefined : operation, rest };
}

export type Admitted = {
  readonly subscription?: { readonly id: string; readonly key: string };
  /** The product whose policies apply. */
  readonly product?: ServedProduct;
};
type KeyHolder = { readonly given: string | undefined; readonly header: string };
function keyOf(passing: PassingRequest, { settings }: ServedApi): KeyHolder {
  const { header, query } = settings.subscriptionKeyParameterNames;
  const { headers } = passing.request;
  const inQuery = new URLSearchParams(passing.url.split("?")[1] ?? "").get(query);
  const given = headers[header.toLowerCase()] ?? headers[DEFAULT_KEY_HEADER] ?? inQuery;
  return { given: given ? String(given) : undefined, header };
}
/** Admits a call by its subscription key. No key is needed if the API or one of its products is open. */
export function admit(
  passing: PassingRequest,
  { admissions, products }: Served,
  api: ServedApi,
): Admitted | { readonly refusal: answers.Refusal } {
  const { given, header } = keyOf(passing, api);
  const admission = given === undefined ? undefined : admissions.get(given);
  if (given !== undefined && admission) {
    const product = admission.product === undefined ? undefined : products.get(admission.product);
    const subscription = { id: admission.subscriptionId, key: given };
    if (product?.apis.has(api.base)) return { subscription, product };
    const isForAll = admission.api === undefined && admission.product === undefined;
    if (isForAll || admission.api === api.base) return { subscription };
  }
  const open = [...products.values()].find(({ isOpen, apis }) => isOpen && apis.has(api.base));
  if (open) return { product: open };
  if (!api.settings.subscriptionRequired) return {};
  return { refusal: answers.keyNeeded(given !== undefined, header, `/${api.settings.path}`) };
}
