/** Clearing state, whole or by service and account. */
import type { AnyDb } from "../db/database.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { deleteRows, type Narrow } from "./rows.ts";
import {
  accountColumnOf,
  credentialTables,
  narrow,
  type StateFilter,
  type TablePart,
  tablesFor,
  tablesToReset,
} from "./tables.ts";

/** Accounts and credentials stay. */
export async function resetState(kernel: Kernel, filter: StateFilter): Promise<void> {
  const parts = tablesToReset(kernel.services, filter);
  await kernel.database.transactLarge((db, pause) => clearParts(kernel, { db, pause }, parts, filter));
  await kernel.stateReplaced();
}

type Change = { readonly db: AnyDb; pause(): Promise<void> };
/** Everything the filter covers. `kept`: an account whose credentials stay. */
export const clear = (kernel: Kernel, change: Change, filter: StateFilter, kept?: string): Promise<void> =>
  clearParts(kernel, change, tablesFor(kernel.services, filter), filter, kept);

async function clearParts(
  { services, database }: Kernel,
  { db, pause }: Change,
  parts: readonly TablePart[],
  filter: StateFilter,
  kept?: string,
): Promise<void> {
  const credentials = new Set(credentialTables(services));
  for (const part of parts) {
    const sparing = kept !== undefined && credentials.has(part.table);
    const narrowed: Narrow = (query) => {
      const covered = narrow(query, part, filter);
      return sparing ? covered.where(accountColumnOf(part.table), "!=", kept) : covered;
    };
    await deleteRows(db, database.kind, part.table, narrowed, pause);
  }
}
