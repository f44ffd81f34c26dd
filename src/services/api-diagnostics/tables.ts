/** The current settings version of an instance. */
export type VersionRow = { account: string; instance_key: string; version: string };
/** Call count of a quota in its current period. */
export type QuotaRow = {
  account: string;
  instance_key: string;
  counter: string;
  calls: number;
  ends_at: number;
};
export type Tables = { api_diagnostics_version: VersionRow; api_diagnostics_quota: QuotaRow };
export const tables = ["api_diagnostics_version", "api_diagnostics_quota"];
