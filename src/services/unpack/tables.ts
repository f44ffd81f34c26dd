/** The tables of this service, as rows. Nobody signs in here, so that all of them belong to no account. */

/** What became of a file, by its hash. */
export type AnalysisRow = {
  account: string;
  sha256: string;
  file_name: string;
  size: number;
  verdict: string;
  packer: string;
  /** What its parts take here. */
  kept_bytes: number;
  took_ms: number;
  created_at: number;
  expires_at: number;
};
/** A piece of the report or of the unpacked form, compressed. */
export type PartRow = { account: string; sha256: string; kind: string; position: number; bytes: Uint8Array };

export type Tables = { unpack_analysis: AnalysisRow; unpack_part: PartRow };
export const tables: readonly (keyof Tables)[] = ["unpack_analysis", "unpack_part"];
