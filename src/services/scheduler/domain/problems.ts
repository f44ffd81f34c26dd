/** What is wrong with a caller's definition, each with the place it was found at. */

export type Problem = {
  /** Such as `recurrence.schedule.hours[1]`, below the job's properties. */
  readonly path: string;
  readonly message: string;
};

export type Reading<Value> = {
  readonly problems: readonly Problem[];
  /** Present exactly when there are no problems. */
  readonly value?: Value;
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Clients send `null` for what they leave out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Finds a word whatever its case, and answers it as the interface spells it. */
export function findWord<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  if (typeof value !== "string") return undefined;
  const lower = value.toLowerCase();
  return words.find((word) => word.toLowerCase() === lower);
}
