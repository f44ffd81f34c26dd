/** Views of resource groups in the console. */
import type { ConsoleView, Context } from "#kernel/operation";
import { type Group, parseQuery } from "./domain/index.ts";
import { listGroupsShown, listMembersShown, listSettingsShown } from "./store/index.ts";

/** The query in words: which tags or which stack, and which types. */
function madeOf({ query, configuration = [] }: Group): string {
  if (!query) return configuration.map(({ type }) => type).join(", ");
  const { types, tags, stack } = parseQuery(query);
  const wanted = tags.map(({ key, values }) => (values.length > 0 ? `${key}=${values.join(" or ")}` : key));
  return [
    ...(stack === undefined ? [] : [`Stack ${stack}`]),
    ...(wanted.length > 0 ? [`Tags ${wanted.join(", ")}`] : []),
    types?.join(", ") ?? "all types",
  ].join("; ");
}

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Groups",
    madeBy: "resource-groups.CreateGroup",
    columns: ["Region", "Name", "Description", "Made of", "Configuration state", "Resource"],
    links: { Resource: "resource" },
    async rows(context: Context, limit: number) {
      const groups = await listGroupsShown(context.db, context.account, limit);
      return groups.map((group) => [
        group.region,
        group.name,
        group.description ?? "",
        madeOf(group),
        group.configurationStatus ?? "",
        group.arn,
      ]);
    },
  },
  {
    title: "Members put in by hand",
    madeBy: "resource-groups.GroupResources",
    columns: ["Region", "Group", "Resource", "Type", "State"],
    links: { Resource: "resource" },
    async rows(context: Context, limit: number) {
      const members = await listMembersShown(context.db, context.account, limit);
      return members.map(({ region, name, arn, type, state }) => [region, name, arn, type, state]);
    },
  },
  {
    title: "Events of groups",
    madeBy: "resource-groups.UpdateAccountSettings",
    columns: ["Region", "Desired", "Status", "Message"],
    async rows(context: Context, limit: number) {
      const settings = await listSettingsShown(context.db, context.account, limit);
      return settings.map(({ region, desired, status, message }) => [region, desired, status, message ?? ""]);
    },
  },
];
