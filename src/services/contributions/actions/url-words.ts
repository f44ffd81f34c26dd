/** How addresses spell an assignment, so that no other of its owner is spelt so. */
import { freeUrlWords, urlWordsOf } from "../domain/url-words.ts";
import { errors } from "../errors.ts";
import type { ContributionsContext } from "../state.ts";
import { takenUrlWords } from "../store/assignments.ts";
import type { AssignmentRow } from "../tables/index.ts";

/** A requested address must be free. An address derived from a name gets a free suffix. */
export async function urlWordsFor(
  { db, account }: ContributionsContext,
  row: Pick<AssignmentRow, "id" | "owner_id" | "name">,
  asked: string | undefined,
): Promise<string> {
  const wanted = asked ?? urlWordsOf(row.name, row.id.replace("_", "-"));
  const taken = await takenUrlWords(db, account, "contributions_assignment", {
    ownerId: row.owner_id,
    urlWords: wanted,
    exceptId: row.id,
  });
  if (asked !== undefined && taken.has(asked))
    throw errors.invalid(`Another assignment of its owner is called ${asked}.`, { target: "urlWords" });
  return freeUrlWords(wanted, taken);
}
