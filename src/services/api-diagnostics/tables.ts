/** What lies beside the managed resources: which state of an instance's settings is the newest. */
export type VersionRow = { account: string; instance_key: string; version: string };
/** Calls that a quota has counted, until its period ends. */
export type QuotaRow = {
  account: string;
  instance_key: string;
  counter: string;
  calls: number;
  ends_at: number;
};
export type Tables = { api_diagnostics_version: VersionRow; api_diagnostics_quota: QuotaRow };
export const tables = ["api_diagnostics_version", "api_diagnostics_quota"];
