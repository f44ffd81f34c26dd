/** Views of resource groups in the console. */
import type { ConsoleView, Context } from "#kernel/operation";
import type { Group } from "./domain/index.ts";
import { listGroupsShown, listMembersShown, listSettingsShown } from "./store/index.ts";

const kindOf = ({ query, configuration }: Group): string =>
  query?.kind ?? configuration?.map(({ type }) => type).join(", ") ?? "";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Groups",
    madeBy: "resource-groups.CreateGroup",
    columns: ["Region", "Name", "Description", "Made of", "Configuration", "Resource"],
    links: { Resource: "resource" },
    async rows(context: Context, limit: number) {
      const groups = await listGroupsShown(context.db, context.account, limit);
      return groups.map((group) => [
        group.region,
        group.name,
        group.description ?? "",
        group.query?.text ?? kindOf(group),
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
    columns: ["Region", "Desired", "Status", "Message"],
    async rows(context: Context, limit: number) {
      const settings = await listSettingsShown(context.db, context.account, limit);
      return settings.map(({ region, desired, status, message }) => [region, desired, status, message ?? ""]);
    },
  },
];
