/** The outbox keeps the newest messages of each account. Undelivered ones always stay. */
import type { Kysely } from "kysely";
import { deleteSome, eachAccount, findFirstBeyond } from "../db/pruning.ts";
import type { KernelTables } from "../runtime/tables.ts";

export const MESSAGES_KEPT_MAX = 20_000;

type Db = Kysely<KernelTables>;
type Steps = {
  readonly db: Db;
  transact<T>(step: (within: { readonly db: Db }) => Promise<T>): Promise<T>;
};

export async function pruneOutbox(context: Steps, keptMax = MESSAGES_KEPT_MAX): Promise<void> {
  for await (const account of eachAccount(context.db, "medley_outbox"))
    while (await context.transact(({ db }) => pruneSome(db, account, keptMax)));
}

async function pruneSome(db: Db, account: string, keptMax: number): Promise<boolean> {
  const border = await findFirstBeyond(db, "medley_outbox", account, keptMax);
  if (border === undefined) return false;
  return deleteSome(db, "medley_outbox", (messages) =>
    messages.where("account", "=", account).where("id", "<=", border).where("state", "!=", "waiting"),
  );
}
