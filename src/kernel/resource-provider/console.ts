/** What the console shows of a provider that says nothing else: a table for each of its types. */
import type { ConsoleView } from "../operation/console-view.ts";
import { declaredOf } from "./registry.ts";
import * as store from "./store.ts";
import type { ProviderSpec } from "./types.ts";

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const tagsText = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

export const viewsOf = (provider: ProviderSpec): readonly ConsoleView[] =>
  provider.types.map((type) => ({
    title: capitalized(type.name),
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
