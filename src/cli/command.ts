/** What a command is. */
export type Command = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(words: readonly string[]): Promise<number>;
};

export class UsageError extends Error {}
