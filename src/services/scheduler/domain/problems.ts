/** What no shape says is wrong with a caller's definition, with the place it was found at. */

export type Problem = {
  /** Such as `recurrence.endTime`, below the job's properties. */
  readonly path: string;
  /** Goes on after the path: "lies in the past". */
  readonly says: string;
};
