/** The tables of this service, as rows. Descriptors and blocks are sealed texts. */
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
  /** Under which its persons, faces and blocks are kept. */
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

/** `container` is a container's uid, or a snapshot's. */
export type PersonRow = {
  account: string;
  container: string;
  id: string;
  name: string;
  user_data: string | null;
  face_count: number;
};

/** Faces of lists have an empty person. */
export type PersistedFaceRow = {
  account: string;
  container: string;
  person: string;
  id: string;
  user_data: string | null;
  descriptor: string;
};

/** A part of the index that a training made; blocks follow each other in the order of person and face. */
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
  /** Under which the copies of persons, faces and blocks are kept. */
  uid: string;
  /** Empty until all of it is there. */
  taken: number;
  name: string;
  container_user_data: string | null;
  recognition_model: string;
  face_count: number;
  person_count: number;
  trained_generation: number | null;
  trained_at: number | null;
  user_data: string | null;
  /** A list of accounts' UUIDs. */
  apply_scope: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

/** Which accounts may see and apply a snapshot that is another's. */
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
