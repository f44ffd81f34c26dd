/** Rows of this service's own table. Databases, servers and pools are managed resources. */
export type DroppedRow = {
  account: string;
  server: string;
  name_key: string;
  deleted_at: number;
  expires_at: number;
  name: string;
  location: string;
  properties: string;
};
export type Tables = { sql_databases_dropped: DroppedRow };
export const tables = ["sql_databases_dropped"] as const satisfies readonly (keyof Tables)[];
