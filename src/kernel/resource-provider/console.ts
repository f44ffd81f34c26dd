/** What the console shows of a provider that says nothing else: a table for each of its types. */
import type { ConsoleView } from "../operation/console-view.ts";
import { declaredOf } from "./registry.ts";
import * as store from "./store.ts";
import type { ProviderSpec } from "./types.ts";

/** "policy of a product" becomes "Policies of a product". */
function pluralOf(title: string): string {
  const [noun = "", ...rest] = title.split(" of ");
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return [plural.charAt(0).toUpperCase() + plural.slice(1), ...rest].join(" of ");
}
const tagsText = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

export const viewsOf = (provider: ProviderSpec): readonly ConsoleView[] =>
  provider.types.map((type) => ({
    title: pluralOf(type.title),
    madeBy: `${provider.name}.${type.idWords}.put`,
    // A service with many types would show mostly empty tables.
    isShownEmpty: type.parent === undefined,
    columns: ["Name", "State", "Location", "Resource group", "Subscription", "Tags"],
    async rows(context, limit) {
      const { fullType } = declaredOf(type);
      const resources = await store.listByName(context.db, {
        account: context.account,
        type: fullType,
        limit,
      });
      return resources.map(({ name, state, location, resourceGroup, subscriptionId, tags }) => [
        name,
        state,
        location ?? "",
        resourceGroup,
        subscriptionId,
        tagsText(tags),
      ]);
    },
  }));
