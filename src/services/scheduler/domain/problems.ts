/** A problem that schemas cannot express, with its path. */

export type Problem = {
  /** Relative to the job's properties, such as `recurrence.endTime`. */
  readonly path: string;
  /** Predicate after the path: "lies in the past". */
  readonly says: string;
};
