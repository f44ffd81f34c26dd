/** The state machines of all records, by their kinds: every PUT follows them. */
import { accessStates } from "./access.ts";
import { cardStates } from "./cards.ts";
import { paymentStates } from "./payments.ts";
import type { StateTables } from "./table.ts";

export const recordStates: StateTables = { ...accessStates, ...paymentStates, ...cardStates };

/** Whoever asks for the state that a record is in asks for its effect once more: only where a table says so. Kinds without a table have no states to speak of. */
export function isMoveAllowed(kind: string, from: string, to: string): boolean {
  const table = recordStates[kind];
  return table === undefined || (table.moves[from] ?? []).includes(to);
}
/** What of its states a PUT may ask a record for. */
export const askedOf = (kind: string): readonly string[] | undefined => recordStates[kind]?.asked;
