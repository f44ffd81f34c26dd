/** Rows of this service's tables. Descriptors and blocks are encrypted texts. */
export type DetectedRow = {
  account: string;
  id: string;
  recognition_model: string;
  descriptor: string;
  expires_at: number;
};

export type ContainerRow = {
  account: string;
  kind: string;
  id: string;
  /** Key of its persons, faces and blocks. */
  uid: string;
  name: string;
  user_data: string | null;
  recognition_model: string;
  face_count: number;
  person_count: number;
  created_at: number;
  training_number: number;
  training_status: string | null;
  training_message: string | null;
  training_changed_at: number | null;
  trained_generation: number | null;
  trained_at: number | null;
};

/** `container`: uid of a container or a snapshot. */
export type PersonRow = {
  account: string;
  container: string;
  id: string;
  name: string;
  user_data: string | null;
  face_count: number;
};

/** In lists, the person is empty. */
export type PersistedFaceRow = {
  account: string;
  container: string;
  person: string;
  id: string;
  user_data: string | null;
  descriptor: string;
};

/** A block of a trained index. Blocks are ordered by person and face. */
export type IndexBlockRow = {
  account: string;
  container: string;
  generation: number;
  /** Person and face of its first entry. */
  first_key: string;
  entries: string;
};

export type SnapshotRow = {
  account: string;
  id: string;
  kind: string;
  /** Key of the copied persons, faces and blocks. */
  uid: string;
  /** 0 until the copy is complete. */
  taken: number;
  name: string;
  container_user_data: string | null;
  recognition_model: string;
  face_count: number;
  person_count: number;
  trained_generation: number | null;
  trained_at: number | null;
  user_data: string | null;
  /** List of account UUIDs. */
  apply_scope: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

/** Accounts that may read and apply a snapshot of another account. */
export type SnapshotReaderRow = { account: string; snapshot: string; owner: string };

export type Tables = {
  face_detected: DetectedRow;
  face_container: ContainerRow;
  face_person: PersonRow;
  face_persisted: PersistedFaceRow;
  face_index_block: IndexBlockRow;
  face_snapshot: SnapshotRow;
  face_snapshot_reader: SnapshotReaderRow;
};
export const tables: readonly (keyof Tables)[] = [
  "face_detected",
  "face_container",
  "face_person",
  "face_persisted",
  "face_index_block",
  "face_snapshot",
  "face_snapshot_reader",
];
