/** The state machines of all records, by their kinds: every PUT follows them. */
import { accessStates } from "./access.ts";
import { cardStates } from "./cards.ts";
import { paymentStates } from "./payments.ts";
import type { StateTables } from "./table.ts";

export const recordStates: StateTables = { ...accessStates, ...paymentStates, ...cardStates };

/**
 * A move to the current state repeats its effect, so it is allowed only where the table lists it. Kinds
 * without a table have no states.
 */
export function isMoveAllowed(kind: string, from: string, to: string): boolean {
  const table = recordStates[kind];
  return table === undefined || (table.moves[from] ?? []).includes(to);
}
/** The states that a PUT may request for a record. */
export const askedOf = (kind: string): readonly string[] | undefined => recordStates[kind]?.asked;
