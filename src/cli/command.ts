/** What a command is. */
export type Command = {
  readonly name: string;
  readonly usage: readonly string[];
  readonly summary: string;
  /** More than fits on one line, for `medley help <command>`. */
  details?(): string;
  run(words: readonly string[]): Promise<number>;
};
