/** Rows of exports and of the files in their archives. Times are milliseconds on the kernel clock. */

export type ExportRow = {
  account: string;
  id: string;
  /** Who asked for it: a user, or the account by its own number. */
  owner_id: string;
  /** JSON: what is exported, what its owner may see, and as what. */
  filter: string;
  sight: string;
  choice: string;
  /** The address under which its owner reached this service. */
  base_url: string;
  blob_id: string;
  /** What of the archive is there for good. */
  size: number;
  entries: number;
  step: string;
  /** Of `contributions`, how many were written. */
  done: number;
  contributions: number;
  /** The last one that was written. */
  last_place: number | null;
  started_at: number;
  finished_at: number | null;
  /** Null where it failed, or is not there yet. */
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
