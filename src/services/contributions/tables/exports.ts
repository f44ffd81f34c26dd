/** Rows of exports and of the files in their archives. Times are milliseconds on the kernel clock. */

export type ExportRow = {
  account: string;
  id: string;
  /** Who requested it: a user, or the account by its number. */
  owner_id: string;
  /** JSON: filter, the requester's permissions, and format. */
  filter: string;
  sight: string;
  choice: string;
  /** The address by which the requester reached this service. */
  base_url: string;
  blob_id: string;
  /** How much of the archive is committed. */
  size: number;
  entries: number;
  step: string;
  /** How many of `contributions` are written. */
  done: number;
  contributions: number;
  /** The last one written. */
  last_place: number | null;
  started_at: number;
  finished_at: number | null;
  /** Null if it failed, or is not ready yet. */
  completed_at: number | null;
};
export type ExportEntryRow = {
  account: string;
  export_id: string;
  position: number;
  name: string;
  crc: number;
  size: number;
  compressed_size: number;
  offset: number;
  is_deflated: number;
  is_streamed: number;
  at: number;
};

export type ExportTables = {
  contributions_export: ExportRow;
  contributions_export_entry: ExportEntryRow;
};
export const exportTables: readonly (keyof ExportTables)[] = [
  "contributions_export",
  "contributions_export_entry",
];
