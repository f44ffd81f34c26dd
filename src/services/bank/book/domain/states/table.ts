/** A state machine as a table: where a record begins, and from where it may go where. */
export type StateTable = {
  readonly initial: string;
  /** What has no row, or an empty one, is an end. */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** What a PUT may ask for; the rest is done by the clock, the other side or the bank. */
  readonly asked?: readonly string[];
};
export type StateTables = Readonly<Record<string, StateTable>>;
