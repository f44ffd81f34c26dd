/** Row types of this service. */
export type GroupRow = {
  account: string;
  region: string;
  name: string;
  unique_id: string;
  description: string | null;
  query_kind: string | null;
  query_text: string | null;
  /** Index key to find the group after a resource change. */
  watch_key: string | null;
  configuration: string | null;
  proposed: string | null;
  configuration_status: string | null;
  failure_reason: string | null;
  event_sequence: number;
  created_at: number;
  updated_at: number;
};
/** Filter values of a group: a type of its query or of its configuration. */
export type GroupTypeRow = {
  account: string;
  region: string;
  filter: string;
  type: string;
  name: string;
};
export type MemberRow = {
  account: string;
  region: string;
  name: string;
  arn: string;
  type: string;
  state: string;
  added_at: number;
};
/** A member of a query group that was published in an event. */
export type AnnouncedMemberRow = { account: string; region: string; name: string; arn: string; type: string };
export type SettingRow = {
  account: string;
  region: string;
  desired: string;
  status: string;
  message: string | null;
  publishing: number;
  /** The dialect of the caller that asked for events. The events use the same dialect. */
  spelling: string | null;
};

export type Tables = {
  resource_groups_group: GroupRow;
  resource_groups_group_type: GroupTypeRow;
  resource_groups_member: MemberRow;
  resource_groups_told: AnnouncedMemberRow;
  resource_groups_setting: SettingRow;
};
export const tables: readonly (keyof Tables)[] = [
  "resource_groups_group",
  "resource_groups_group_type",
  "resource_groups_member",
  "resource_groups_told",
  "resource_groups_setting",
];
