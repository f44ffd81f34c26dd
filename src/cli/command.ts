/** What a command is. */
export type Command = {
  readonly name: string;
  readonly usage: readonly string[];
  readonly summary: string;
  /** More than fits on one line, for `medley help <command>`. */
  details?(): string;
  run(words: readonly string[]): Promise<number>;
};

/** Misunderstood: exit code 2. */
export class UsageError extends Error {}
/** Understood, but it could not be done: exit code 1. */
export class FailedError extends Error {}
