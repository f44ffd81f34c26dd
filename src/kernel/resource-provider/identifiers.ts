/** Resource-manager identifiers: paths whose words are case-insensitive, while each keeps the spelling it was made with. */
import { hash } from "node:crypto";

export const RESOURCES_NAMESPACE = "Vendor.Resources";
export const RESOURCE_GROUP_TYPE = `${RESOURCES_NAMESPACE}/resourceGroups`;

/** The makers' namespaces and ours name the same thing. */
const neutral = (text: string): string =>
  text.includes("microsoft.") ? text.replace(/(?<![a-z0-9])microsoft\./g, "vendor.") : text;
const CONTROL = /\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, "gu");

/** What two spellings of one identifier have in common. No database keeps control characters in keys. */
export function keyOf(id: string): string {
  const lower = id.toLowerCase();
  const key = neutral(CONTROL.test(lower) ? lower.replace(CONTROLS, "") : lower);
  return key.endsWith("/") ? key.slice(0, -1) : key;
}

export const subscriptionKeyOf = (subscriptionId: string): string =>
  `/subscriptions/${subscriptionId.toLowerCase()}`;
export const groupIdOf = (subscriptionId: string, group: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${group}`;

export type ResourceId = {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Such as `Vendor.Network`. */
  readonly namespace: string;
  /** Such as `virtualNetworks/subnets`. */
  readonly type: string;
  /** One name for each word of the type. */
  readonly names: readonly string[];
  readonly key: string;
};

const ID = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/([^/]+)((?:\/[^/]+\/[^/]+)+)\/?$/i;

/** Undefined when the text is not the identifier of a resource in a resource group. */
export function parseResourceId(text: string): ResourceId | undefined {
  const [, subscriptionId, resourceGroup, namespace, rest] = ID.exec(text) ?? [];
  if (!subscriptionId || !resourceGroup || !namespace || !rest) return undefined;
  const words = rest.slice(1).split("/");
  return {
    subscriptionId,
    resourceGroup,
    namespace: namespace.replace(/^microsoft\./i, "Vendor."),
    type: words.filter((_, index) => index % 2 === 0).join("/"),
    names: words.filter((_, index) => index % 2 === 1),
    key: keyOf(text),
  };
}

/** Is it the identifier of a resource of this full type, such as `Vendor.Network/virtualNetworks/subnets`? */
export function isIdOfType(text: string, fullType: string): boolean {
  const id = parseResourceId(text);
  return id !== undefined && `${id.namespace}/${id.type}`.toLowerCase() === fullType.toLowerCase();
}

/** `West US` and `westus` are one location. */
export const locationKeyOf = (location: string): string => location.toLowerCase().replaceAll(" ", "");

/** Demo data needs a subscription of each account's own: a name that holds the account's. */
export const demoSubscriptionOf = (account: string): string =>
  `7c4d2f3e-1b5a-4a57-9e0c-${account.padStart(12, "0")}`;

/** One tenant per account, always the same. */
export function tenantOf(account: string): string {
  const hex = hash("sha256", `tenant ${account}`, "hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
