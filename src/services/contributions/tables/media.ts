/** Rows of pictures and films and of what is made of them. Times are milliseconds on the kernel clock. */

export type MediaRow = {
  account: string;
  id: string;
  /** Null where nobody signed in. */
  user_id: string | null;
  /** `image` or `video`. */
  type: string;
  format: string;
  content_type: string;
  size: number;
  /** Upright, in pixels; zero where it is not known. */
  width: number;
  height: number;
  orientation: number;
  duration_seconds: number | null;
  latitude: number | null;
  longitude: number | null;
  taken_at: number | null;
  camera: string | null;
  /** `receiving`, `stored`, `ready`; `failed` where a placeholder stands for it. */
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
