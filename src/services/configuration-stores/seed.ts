/** Demo data: a store of a small shop with settings for two stages and feature flags. */
import type { Context } from "#kernel/operation";
import { makeResource } from "#kernel/resource-provider";
import { sizeOf } from "./domain/key-values.ts";
import { add, replace } from "./operations/key-values.ts";
import { stores } from "./provider/stores.ts";
import { findStore } from "./store/index.ts";

const SUBSCRIPTION = "demo";
const FLAG_TYPE = "application/vnd.microsoft.appconfig.ff+json;charset=utf-8";

type Setting = {
  readonly key: string;
  readonly label?: string;
  readonly value: string;
  readonly contentType?: string;
  readonly tags?: Readonly<Record<string, string>>;
};
const flag = (
  id: string,
  description: string,
  enabled: boolean,
  filters: readonly object[] = [],
): Setting => ({
  key: `.appconfig.featureflag/${id}`,
  value: JSON.stringify({ id, description, enabled, conditions: { client_filters: filters } }),
  contentType: FLAG_TYPE,
});

const SETTINGS: readonly Setting[] = [
  { key: "Shop:Title", value: "The Paper Lantern" },
  { key: "Shop:Currency", value: "EUR" },
  { key: "Shop:Colors:Accent", value: "#c2410c", tags: { owner: "design" } },
  { key: "Shop:Checkout:TimeoutSeconds", label: "staging", value: "120" },
  { key: "Shop:Checkout:TimeoutSeconds", label: "production", value: "30" },
  {
    key: "Shop:Checkout:PaymentMethods",
    label: "production",
    value: JSON.stringify(["card", "transfer", "invoice"]),
    contentType: "application/json",
    tags: { owner: "payments" },
  },
  { key: "Shop:Log:Level", label: "staging", value: "debug" },
  { key: "Shop:Log:Level", label: "production", value: "warning" },
  flag("gift-wrapping", "Offer gift wrapping at checkout", true),
  flag("new-search", "The new search, for half of the visitors", true, [
    { name: "Microsoft.Percentage", parameters: { Value: 50 } },
  ]),
  flag("dark-mode", "A dark theme for the shop", false),
];
/** Later changes of settings. The earlier values remain readable as revisions. */
const CHANGED: readonly Setting[] = [
  flag("new-search", "The new search, for everybody in the north and half of the others", true, [
    { name: "Microsoft.Percentage", parameters: { Value: 50 } },
    { name: "Microsoft.Targeting", parameters: { Audience: { Groups: [{ Name: "north" }] } } },
  ]),
];

export async function seed(context: Context): Promise<void> {
  const name = `lantern-settings-${context.account}`;
  if (await findStore(context.db, name)) return;
  await makeResource(
    context,
    stores,
    { subscriptionId: `${SUBSCRIPTION}-${context.account}`, resourceGroup: "lantern", names: [name] },
    { location: "westeurope", sku: { name: "Standard" }, tags: { project: "lantern", stage: "demo" } },
  );
  for (const [settings, write] of [
    [SETTINGS, add],
    [CHANGED, replace],
  ] as const)
    for (const { key, label = "", value, contentType = null, tags = {} } of settings) {
      const content = { value, contentType, tags };
      const written = { ...content, locked: false, size: sizeOf(key, label, content) };
      await write(context, { store: name, key, label }, written);
    }
}
