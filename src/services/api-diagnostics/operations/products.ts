/** Products: groups of APIs with subscriptions and policies. */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { answer, noBody } from "#kernel/operation";
import {
  type Action,
  changeResource,
  countLinked,
  findById,
  listChildren,
  listLinked,
  listOf,
  type ManagedResource,
  managementErrors,
  pageOfResources,
  presentResource,
  removeResource,
  resourceType,
} from "#kernel/resource-provider";
import { revisionOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { apiAnswer, apiFilter } from "../wire/apis.ts";
import {
  type ProductProperties,
  productAnswer,
  productBody,
  productFilter,
  productPatch,
} from "../wire/products.ts";
import { childFurniture, fullTypeBelow, gatewayChanged, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const PRODUCTS_MAX = 100;
const SUBSCRIPTIONS_AT_ONCE = 500;
const TYPE = fullTypeBelow("instance", "products");
const API_TYPE = fullTypeBelow("instance", "apis");
const SUBSCRIPTION_TYPE = fullTypeBelow("instance", "subscriptions");

type Product = ManagedResource<ProductProperties>;
const apisOf = ({ properties }: Product): readonly string[] => properties.apis ?? [];
/** Base name of an API or of one of its revisions. */
const baseNameOf = (api: string): string => revisionOf(api).base.toLowerCase();

async function keepApis(context: Context, product: Product, apis: readonly string[]): Promise<void> {
  await changeResource(context, product, { properties: { ...product.properties, apis } });
  await gatewayChanged(product, context);
}
/** Removes a deleted API from all products. */
export async function forgetApi(context: Context, { name, parentKey }: ManagedResource): Promise<void> {
  const gone = baseNameOf(name);
  const products = await listChildren<ProductProperties>(context, TYPE, parentKey, { limit: PRODUCTS_MAX });
  for (const product of products)
    if (apisOf(product).includes(gone))
      await keepApis(
        context,
        product,
        apisOf(product).filter((one) => one !== gone),
      );
}

const pathWords = { apiId: { description: "The name of the API.", examples: ["orders"] } };
const hasApi = (product: Product, apiId = ""): boolean => apisOf(product).includes(baseNameOf(apiId));
const linkApi: Action<ProductProperties> = {
  name: "apis/{apiId}",
  idWords: "put-api",
  summary: "Adds an API to a product.",
  description: `Subscriptions to the product open the API from the next call on. Applies to all revisions of the API. 200 if it is in the product already.`,
  method: "PUT",
  permission: "apis/write",
  pathWords,
  answers: { 200: apiAnswer, 201: apiAnswer },
  errors: [errors.validation],
  async handle({ resource, params }, context) {
    const apiId = baseNameOf(params.apiId ?? "");
    const api = await findById(context, `${resource.parentKey}/apis/${apiId}`);
    if (!api) throw invalid(`There is no API '${params.apiId}' in this instance.`, "apiId");
    const isThere = hasApi(resource, apiId);
    if (!isThere) await keepApis(context, resource, [...apisOf(resource), apiId]);
    return answer(isThere ? 200 : 201, await presentResource(context, api));
  },
};
const checkApi: Action<ProductProperties> = {
  name: "apis/{apiId}",
  idWords: "head-api",
  summary: "Checks whether an API is in a product.",
  description: "204 if it is, otherwise 404.",
  method: "HEAD",
  permission: "apis/read",
  pathWords,
  answers: { 204: noBody },
  exclusive: false,
  handle({ resource, params }) {
    if (!hasApi(resource, params.apiId))
      throw managementErrors.resourceNotFound("The API is not in this product.");
    return answer(204);
  },
};
const unlinkApi: Action<ProductProperties> = {
  name: "apis/{apiId}",
  idWords: "delete-api",
  summary: "Removes an API from a product.",
  description:
    "Subscriptions to the product no longer open the API. The API itself stays. 204 if it was not in the product.",
  method: "DELETE",
  permission: "apis/delete",
  pathWords,
  answers: { 200: noBody, 204: noBody },
  async handle({ resource, params }, context) {
    const apiId = baseNameOf(params.apiId ?? "");
    if (!hasApi(resource, apiId)) return answer(204);
    await keepApis(
      context,
      resource,
      apisOf(resource).filter((one) => one !== apiId),
    );
    return answer(200);
  },
};
type Select = (resource: ManagedResource) => boolean;
const listQuery = listsBy(apiFilter);
/** Lists resources of another type that belong to a resource. */
export const listOfOthers = <P>(
  shape: Pick<Action<P>, "name" | "idWords" | "summary" | "description" | "permission"> & {
    readonly type: string;
    readonly item: Parameters<typeof listOf>[0];
    belongs(owner: ManagedResource<P>): Select;
  },
): Action<P> => ({
  name: shape.name,
  ...(shape.idWords !== undefined && { idWords: shape.idWords }),
  summary: shape.summary,
  ...(shape.description !== undefined && { description: shape.description }),
  method: "GET",
  ...(shape.permission !== undefined && { permission: shape.permission }),
  query: Type.Object({
    ...apiFilter.properties,
    $skipToken: Type.Optional(
      Type.String({ maxLength: 2048, description: "Where the page begins.", examples: ["…"] }),
    ),
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: "How many on a page.", examples: [10] }),
    ),
    $skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: "How many to leave out.", examples: [0] }),
    ),
  }),
  answers: { 200: listOf(shape.item) },
  errors: [errors.validation],
  exclusive: false,
  async handle({ resource, query }, context) {
    const belongs = shape.belongs(resource);
    const chosen = await listQuery.select?.(query, context);
    const listed = {
      scope: { parentKey: resource.parentKey },
      type: shape.type,
      select: (one: ManagedResource) => belongs(one) && (chosen?.(one) ?? true),
    };
    const { resources, nextLink } = await pageOfResources(context, listed, query);
    const value: unknown[] = [];
    for (const one of resources) value.push(await presentResource(context, one));
    return nextLink === undefined ? { value } : { value, nextLink };
  },
});

const listApis = listOfOthers<ProductProperties>({
  name: "apis",
  idWords: "list-apis",
  summary: "Lists the APIs of a product.",
  description: "Only current revisions are listed. Pages have 100 APIs unless `$top` says otherwise.",
  permission: "apis/read",
  type: API_TYPE,
  item: apiAnswer,
  belongs: (product) => {
    const names = new Set(apisOf(product));
    return ({ name }) => names.has(name.toLowerCase());
  },
});
/** The API resource type registers this action. */
export const listProductsOfApi = <P>(): Action<P> =>
  listOfOthers<P>({
    name: "products",
    idWords: "list-products",
    summary: "Lists the products that contain an API.",
    description: "All revisions of an API are in the same products.",
    permission: "products/read",
    type: TYPE,
    item: productAnswer,
    belongs: ({ name }) => {
      const own = baseNameOf(name);
      return (product) => apisOf(product as Product).includes(own);
    },
  });

export const products = resourceType<ProductProperties>({
  ...childFurniture("partners"),
  name: "products",
  title: "product",
  parent: instances,
  parameter: "productId",
  idWords: "products",
  descriptions: {
    put: `A new product is \`notPublished\` and needs a subscription, unless the request says otherwise. Add APIs with \`api-diagnostics.products.put-api\`; they stay when the product is updated. An instance may have ${PRODUCTS_MAX} products. Gateways of all nodes use the change at their next call.`,
    patch: "Gateways of all nodes use the change at their next call.",
    delete:
      "A product with subscriptions needs `deleteSubscriptions=true`, which deletes them too. Its APIs stay.",
  },
  wire: { put: productBody, patch: productPatch, answer: productAnswer },
  lists: listsBy(productFilter),
  linkedLists: [
    {
      name: "subscriptions",
      summary: "Lists the subscriptions to a product.",
      description: "Keys are not included. Pages have 100 subscriptions unless `$top` says otherwise.",
      of: () => SUBSCRIPTION_TYPE,
    },
  ],
  deleteQuery: Type.Object({
    deleteSubscriptions: Type.Optional(
      Type.Boolean({ description: "Whether its subscriptions are deleted with it.", examples: [true] }),
    ),
  }),
  actions: [linkApi, checkApi, unlinkApi, listApis],
  errors: [errors.validation],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: PRODUCTS_MAX, things: "products" });
    const { apis = [] } = about.existing?.properties ?? {};
    const {
      subscriptionRequired = true,
      state = "notPublished",
      ...given
    }: Partial<ProductProperties> = wanted.properties;
    const properties = { ...given, subscriptionRequired, state, apis } as ProductProperties;
    return { ...wanted, properties };
  },
  async mayDelete(product, context, { deleteSubscriptions }) {
    if (deleteSubscriptions) return;
    if ((await countLinked(context, SUBSCRIPTION_TYPE, product.key)) > 0)
      throw invalid(
        "The product has subscriptions. Delete them first, or ask for that with deleteSubscriptions=true.",
        "deleteSubscriptions",
      );
  },
  async removed(product, context) {
    for (;;) {
      const some = await listLinked(context, SUBSCRIPTION_TYPE, product.key, {
        limit: SUBSCRIPTIONS_AT_ONCE,
      });
      for (const subscription of some) await removeResource(context, subscription);
      if (some.length < SUBSCRIPTIONS_AT_ONCE) break;
    }
    await gatewayChanged(product, context);
  },
  present: ({ properties: { apis: _apis, ...shown } }) => shown,
});
