/** The records of a backup of an assignment. */
import type { AssignmentRow, FormRow, TagRow } from "../tables/index.ts";

export const ASSIGNMENT_NAME = "assignmentName";
/** Kinds of records: the assignment first, then media, each before the contribution that shows it. */
export const HEAD = "contribution assignment";
export const MEDIA = "media";
export const CONTRIBUTION = "contribution";

export type SavedAssignment = {
  readonly assignment: AssignmentRow;
  readonly tags: readonly TagRow[];
  readonly form: FormRow | undefined;
  readonly catalogTags: Readonly<Record<string, string>>;
};
