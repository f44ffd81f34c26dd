/** Interface of a command. */
export type Command = {
  readonly name: string;
  readonly usage: readonly string[];
  readonly summary: string;
  /** Additional text for `medley help <command>`. */
  details?(): string;
  run(words: readonly string[]): Promise<number>;
};
