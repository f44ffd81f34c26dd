/** Rows of pictures, films and their artifacts. Times are milliseconds on the kernel clock. */

export type MediaRow = {
  account: string;
  id: string;
  /** Null for an anonymous sender. */
  user_id: string | null;
  /** `image` or `video`. */
  type: string;
  format: string;
  content_type: string;
  size: number;
  /** Upright, in pixels; zero if unknown. */
  width: number;
  height: number;
  orientation: number;
  duration_seconds: number | null;
  latitude: number | null;
  longitude: number | null;
  taken_at: number | null;
  camera: string | null;
  /** `receiving`, `stored` or `ready`; `failed` if a placeholder replaces it. */
  state: string;
  problem: string | null;
  blob_id: string;
  created_at: number;
};
export type ArtifactRow = {
  account: string;
  media_id: string;
  label: string;
  content_type: string;
  file_extension: string;
  width: number;
  height: number;
  size: number;
  blob_id: string;
};

export type MediaTables = { contributions_media: MediaRow; contributions_artifact: ArtifactRow };
export const mediaTables: readonly (keyof MediaTables)[] = ["contributions_media", "contributions_artifact"];
