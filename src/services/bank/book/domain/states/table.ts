/** A state machine as a table: the first state, and the allowed moves from each state. */
export type StateTable = {
  readonly initial: string;
  /** A state with no row, or an empty row, is final. */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** States that a PUT may request. Other moves are made by jobs, the other side or the bank. */
  readonly asked?: readonly string[];
};
export type StateTables = Readonly<Record<string, StateTable>>;
