/** Rows of assignments, tags, forms, users and contributions. Times are milliseconds on the kernel clock. */

export type UserRow = {
  account: string;
  /** The account number for the owner of the account; the identity service's id for a person. */
  id: string;
  username: string;
  username_key: string;
  display_name: string;
  bio: string;
  registered_at: number;
};
export type AssignmentRow = {
  account: string;
  id: string;
  owner_id: string;
  name: string;
  description: string;
  url_words: string;
  /** Normalized words of name and description, each with a space before and after it. */
  search_words: string;
  call_to_action: string;
  receipt_message: string;
  /** A moderator besides the owner. */
  moderator_id: string | null;
  cover_media_id: string | null;
  form_id: string | null;
  starts_at: number | null;
  ends_at: number | null;
  embargo_at: number | null;
  featured: number;
  media_required: number;
  allows_anonymous: number;
  /**
   * `before`: contributions are public after approval. `after`: they are public at once, until a moderator
   * removes them.
   */
  moderation: string;
  /** Length of the public geohash; null for the exact position. */
  location_precision: number | null;
  /** How many flags hide a contribution until a moderator decides. */
  flags_hide: number;
  /** Set while its contributions are being deleted. It is invisible from then on. */
  deleted_at: number | null;
  created_at: number;
};
export type TagSetRow = {
  account: string;
  id: string;
  owner_id: string;
  name: string;
  url_words: string;
  created_at: number;
};
export type TagRow = {
  account: string;
  id: string;
  owner_id: string;
  tag_set_id: string | null;
  name: string;
  url_words: string;
  colour: string | null;
  created_at: number;
};
/** Tags of assignments, forms and contributions. */
export type TaggedRow = {
  account: string;
  kind: string;
  record_id: string;
  position: number;
  tag_id: string;
};
export type FormRow = {
  account: string;
  id: string;
  owner_id: string;
  name: string;
  heading: string;
  call_to_action: string;
  css_url: string | null;
  no_css: number;
  /** JSON array of fields. */
  fields: string;
  created_at: number;
};
export type FormResponseRow = {
  account: string;
  id: string;
  form_id: string;
  user_id: string | null;
  contribution_id: string | null;
  /** JSON map. */
  responses: string;
  created_at: number;
};
export type ContributionRow = {
  account: string;
  /** Milliseconds of its creation times 4096, plus a sequence number within the millisecond. Lists sort by it alone. */
  place: number;
  id: string;
  assignment_id: string;
  /** Null for an anonymous contributor. */
  user_id: string | null;
  /** The owner of the assignment, who decides on the contribution. */
  owner_id: string;
  headline: string;
  body: string;
  attribution: string;
  url_words: string;
  /** Words of the headline, and its immutable properties, for the full-text index. */
  words: string;
  facets: string;
  state: string;
  /** Whether its state is public and no flags hide it. */
  is_public: number;
  /** The exact position; only contributor, owner and moderator see it. */
  exact_latitude: number | null;
  exact_longitude: number | null;
  /** The public position. */
  latitude: number | null;
  longitude: number | null;
  geohash: string | null;
  /** The same on the unit sphere: a distance by chord needs no trigonometry. */
  x: number | null;
  y: number | null;
  z: number | null;
  country: string | null;
  place_name: string | null;
  /** JSON of the other members of the place. */
  place_details: string | null;
  images: number;
  videos: number;
  likes: number;
  flags: number;
  form_response_id: string | null;
  /** JSON map of external ids. */
  external_ids: string;
  /** JSON: the client and its address. */
  via: string;
  consented_at: number | null;
  deleted_at: number | null;
};
export type MediaUsageRow = {
  account: string;
  contribution_id: string;
  position: number;
  id: string;
  media_id: string;
};
export type LikeRow = { account: string; contribution_id: string; user_id: string; liked_at: number };
export type FlagRow = {
  account: string;
  id: string;
  contribution_id: string;
  /** A user, or the network of an anonymous visitor. Each counts once. */
  flagged_by: string;
  type: string;
  notes: string;
  email: string | null;
  flagged_at: number;
};
export type ModerationRow = {
  account: string;
  contribution_id: string;
  id: string;
  action: string;
  notes: string;
  user_id: string | null;
  moderated_at: number;
};
/** The earlier text of a contribution that its contributor has edited. */
export type EditRow = {
  account: string;
  contribution_id: string;
  id: string;
  headline: string;
  body: string;
  attribution: string;
  edited_at: number;
};
/** The change log, in order. */
export type ChangeRow = {
  account: string;
  id: string;
  type: string;
  title: string;
  description: string;
  record_id: string;
  assignment_id: string | null;
  /** Who may read it besides the account: the owner of the changed record, and the user who changed it. */
  owner_id: string;
  user_id: string | null;
  changed_at: number;
};
/** A stamp changes with the contributions of a time range. The stamp is the sum over all writers. */
export type StampRow = {
  account: string;
  kind: string;
  stretch: number;
  writer: number;
  stamp: number;
};

export type CoreTables = {
  contributions_user: UserRow;
  contributions_assignment: AssignmentRow;
  contributions_tag_set: TagSetRow;
  contributions_tag: TagRow;
  contributions_tagged: TaggedRow;
  contributions_form: FormRow;
  contributions_form_response: FormResponseRow;
  contributions_contribution: ContributionRow;
  contributions_media_usage: MediaUsageRow;
  contributions_like: LikeRow;
  contributions_flag: FlagRow;
  contributions_moderation: ModerationRow;
  contributions_edit: EditRow;
  contributions_change: ChangeRow;
  contributions_stamp: StampRow;
};
/** Stamps are not part of the state: triggers create them. */
export const coreTables: readonly (keyof CoreTables)[] = [
  "contributions_user",
  "contributions_assignment",
  "contributions_tag_set",
  "contributions_tag",
  "contributions_tagged",
  "contributions_form",
  "contributions_form_response",
  "contributions_contribution",
  "contributions_media_usage",
  "contributions_like",
  "contributions_flag",
  "contributions_moderation",
  "contributions_edit",
  "contributions_change",
];
