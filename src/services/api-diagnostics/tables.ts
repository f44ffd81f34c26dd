/** What lies beside the managed resources: which state of an instance's settings is the newest. */
export type VersionRow = { account: string; instance_key: string; version: string };
export type Tables = { api_diagnostics_version: VersionRow };
export const tables = ["api_diagnostics_version"];
