/** Subscriptions: whose keys let callers in where an interface asks for one. */

import { randomBytes } from "node:crypto";
import { isoOf } from "#kernel/clock";
import { answer, type Context, noBody } from "#kernel/operation";
import {
  type Action,
  changeResource,
  hasSecret,
  type ManagedResource,
  openSecret,
  resourceType,
} from "#kernel/resource-provider";
import { segmentsOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
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
const KEY_BYTES = 16;
const KEYS = ["primaryKey", "secondaryKey"] as const;
type KeyName = (typeof KEYS)[number];
const newKey = (): string => randomBytes(KEY_BYTES).toString("hex");

/** The interface that a scope names; `undefined` for all of them. */
export function scopedApiOf(scope: string): string | undefined {
  const segments = segmentsOf(scope);
  const word = segments.findLastIndex((segment) => segment.toLowerCase() === "apis");
  return segments[word + 1]?.toLowerCase();
}
function checkScope(scope: string): void {
  const segments = segmentsOf(scope);
  const word = segments.findLastIndex((segment) => segment.toLowerCase() === "apis");
  if (word < 0 || segments.length - word > 2)
    throw invalid("scope must be /apis for all APIs, or /apis/ and the name of one.", "properties.scope");
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
  summary: `Makes a new ${key === "primaryKey" ? "first" : "second"} key; the old one no longer counts.`,
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
  wire: { put: subscriptionBody, patch: subscriptionPatch, answer: subscriptionAnswer },
  lists: listsBy(subscriptionFilter),
  errors: [errors.validation],
  actions: [
    regenerate("primaryKey", "regeneratePrimaryKey"),
    regenerate("secondaryKey", "regenerateSecondaryKey"),
    {
      name: "listSecrets",
      summary: "Shows the keys.",
      answers: { 200: subscriptionKeys },
      exclusive: false,
      handle: ({ resource }, context) => keysOf(context, resource),
    },
  ],
  async prepare(wanted, about, context) {
    const type = fullTypeBelow("instance", "subscriptions");
    await requireRoom(context, about, { type, max: SUBSCRIPTIONS_MAX, things: "subscriptions" });
    checkScope(wanted.properties.scope);
    const missing = KEYS.filter((key) => !(key in wanted.properties) && !hasSecret(about.existing, key));
    const made = Object.fromEntries(missing.map((key) => [key, newKey()]));
    const { state = "active" }: Partial<SubscriptionProperties> = wanted.properties;
    return { ...wanted, properties: { ...wanted.properties, state, ...made } };
  },
  present: ({ properties, createdAtMs }) => ({
    ...properties,
    createdDate: isoOf(createdAtMs),
  }),
});
