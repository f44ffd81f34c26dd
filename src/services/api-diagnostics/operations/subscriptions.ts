/** Subscriptions: their keys admit callers to APIs that require one. */

import { randomBytes } from "node:crypto";
import { isoOf } from "#kernel/clock";
import { answer, type Context, noBody } from "#kernel/operation";
import {
  type Action,
  changeResource,
  type Desired,
  findById,
  hasSecret,
  listLinked,
  type ManagedResource,
  openSecret,
  type Preparation,
  resourceType,
} from "#kernel/resource-provider";
import { segmentsOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { ProductProperties } from "../wire/products.ts";
import {
  type SubscriptionProperties,
  subscriptionAnswer,
  subscriptionBody,
  subscriptionFilter,
  subscriptionKeys,
  subscriptionPatch,
} from "../wire/subscriptions.ts";
import { childFurniture, fullTypeBelow, gatewayChanged, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const SUBSCRIPTIONS_MAX = 500;
const TYPE = fullTypeBelow("instance", "subscriptions");
const KEY_BYTES = 16;
const KEYS = ["primaryKey", "secondaryKey"] as const;
type KeyName = (typeof KEYS)[number];
const newKey = (): string => randomBytes(KEY_BYTES).toString("hex");

type Scoped = { readonly api: string | undefined; readonly product: string | undefined };
/** API or product of a scope, in lower case. Both are undefined if the scope is all APIs. */
export function scopedOf(scope: string): Scoped {
  const [word = "", name] = segmentsOf(scope).slice(-2);
  const isProduct = word.toLowerCase() === "products";
  const lower = word.toLowerCase() === "apis" || isProduct ? name?.toLowerCase() : undefined;
  return isProduct ? { api: undefined, product: lower } : { api: lower, product: undefined };
}
function checkScope(scope: string): void {
  const segments = segmentsOf(scope).map((segment) => segment.toLowerCase());
  const isGood = segments.at(-1) === "apis" || ["apis", "products"].includes(segments.at(-2) ?? "");
  if (!isGood)
    throw invalid(
      "scope must be /apis for all APIs, /apis/ and the name of one, or /products/ and the name of one.",
      "properties.scope",
    );
}
type Subscription = Desired<SubscriptionProperties>;
/** The product determines the initial state of a subscription and the limit for one owner. */
async function forProduct(
  wanted: Subscription,
  { place, existing }: Pick<Preparation, "place" | "existing">,
  context: Context,
): Promise<{ readonly state: SubscriptionProperties["state"]; readonly link: string | undefined }> {
  const { scope, ownerId, state }: Partial<SubscriptionProperties> & { scope: string } = wanted.properties;
  const { product: name } = scopedOf(scope);
  if (name === undefined) return { state: state ?? "active", link: undefined };
  const product = await findById<ProductProperties>(context, `${place.parentKey}/products/${name}`);
  if (!product) throw invalid(`There is no product '${name}' in this instance.`, "properties.scope");
  const { approvalRequired = false, subscriptionsLimit } = product.properties;
  if (!existing && subscriptionsLimit !== undefined) {
    const others = await listLinked<SubscriptionProperties>(context, TYPE, product.key, {
      limit: SUBSCRIPTIONS_MAX,
    });
    const own = others.filter(({ properties }) => properties.ownerId === ownerId);
    if (own.length >= subscriptionsLimit)
      throw invalid(
        `An owner has ${subscriptionsLimit} subscriptions to this product at the most.`,
        "properties.scope",
      );
  }
  return { state: state ?? (approvalRequired ? "submitted" : "active"), link: product.key };
}
export const keysOf = (
  context: Pick<Context, "secrets">,
  subscription: Pick<ManagedResource, "secrets">,
): { primaryKey: string; secondaryKey: string } => ({
  primaryKey: openSecret(context, subscription, "primaryKey") ?? "",
  secondaryKey: openSecret(context, subscription, "secondaryKey") ?? "",
});

const regenerate = (key: KeyName, path: string): Action<SubscriptionProperties> => ({
  name: path,
  summary: `Generates a new ${key === "primaryKey" ? "primary" : "secondary"} key of a subscription.`,
  description:
    "The old key stops working immediately; the other key still works, so callers can change keys one after the other. Read the new key with `api-diagnostics.subscriptions.list-secrets`.",
  answers: { 204: noBody },
  async handle({ resource }, context) {
    const secrets = { ...resource.secrets, [key]: context.secrets.seal(newKey()) };
    await changeResource(context, resource, { secrets });
    await gatewayChanged(resource, context);
    return answer(204);
  },
});

export const subscriptions = resourceType<SubscriptionProperties>({
  ...childFurniture("mobile"),
  name: "subscriptions",
  title: "subscription",
  parent: instances,
  parameter: "sid",
  idWords: "subscriptions",
  descriptions: {
    get: "Keys are not returned; use `api-diagnostics.subscriptions.list-secrets`.",
    put: `Keys that are not given are generated. A subscription to a product that needs approval starts as \`submitted\` and admits nobody until it is \`active\`. An instance may have ${SUBSCRIPTIONS_MAX} subscriptions, and a product may limit those of one owner. Gateways of all nodes use the change at their next call.`,
    patch:
      "Set `state` to `active`, `suspended`, `rejected` or `cancelled` to approve or stop it. Gateways of all nodes use the change at their next call.",
    delete: "Its keys admit nobody afterwards.",
  },
  wire: { put: subscriptionBody, patch: subscriptionPatch, answer: subscriptionAnswer },
  lists: listsBy(subscriptionFilter),
  errors: [errors.validation],
  actions: [
    regenerate("primaryKey", "regeneratePrimaryKey"),
    regenerate("secondaryKey", "regenerateSecondaryKey"),
    {
      name: "listSecrets",
      summary: "Reads the keys of a subscription.",
      description:
        "Callers send one of them in the header or query parameter that the API names. Both are equally valid.",
      answers: { 200: subscriptionKeys },
      exclusive: false,
      handle: ({ resource }, context) => keysOf(context, resource),
    },
  ],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: SUBSCRIPTIONS_MAX, things: "subscriptions" });
    checkScope(wanted.properties.scope);
    const missing = KEYS.filter((key) => !(key in wanted.properties) && !hasSecret(about.existing, key));
    const made = Object.fromEntries(missing.map((key) => [key, newKey()]));
    const { state, link } = await forProduct(wanted, about as Preparation, context);
    return { ...wanted, link, properties: { ...wanted.properties, state, ...made } };
  },
  present: ({ properties, createdAtMs }) => ({
    ...properties,
    createdDate: isoOf(createdAtMs),
  }),
});
