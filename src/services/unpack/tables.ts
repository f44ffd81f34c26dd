/** Rows of this service's tables. Callers do not sign in, so the account of every row is empty. */

/** Result of a file, by its hash. */
export type AnalysisRow = {
  account: string;
  sha256: string;
  file_name: string;
  size: number;
  verdict: string;
  packer: string;
  /** Stored size of its parts. */
  kept_bytes: number;
  took_ms: number;
  created_at: number;
  expires_at: number;
};
/** A compressed chunk of the report or of the unpacked file. */
export type PartRow = { account: string; sha256: string; kind: string; position: number; bytes: Uint8Array };

export type Tables = { unpack_analysis: AnalysisRow; unpack_part: PartRow };
export const tables: readonly (keyof Tables)[] = ["unpack_analysis", "unpack_part"];
