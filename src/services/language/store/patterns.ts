/** Patterns of a version. */
import type { Kysely } from "kysely";
import type { Pattern } from "../domain/content.ts";
import type { PatternRow, Tables } from "../tables.ts";
import { moveIntentBy, type Page, versionPart, type Which } from "./version-part.ts";

type Db = Kysely<Tables>;
export type StoredPattern = Pattern & { readonly position: number };

const patternOf = ({ id, intent, text, position }: PatternRow): StoredPattern => ({
  id,
  intent,
  text,
  position: Number(position),
});

/** In the order they were made in. */
const part = versionPart<PatternRow>(
  "language_pattern",
  ["account", "version", "id", "intent", "text", "position"],
  ["position", "id"],
);
export const insertPatterns = (
  db: Db,
  account: string,
  version: string,
  patterns: readonly StoredPattern[],
): Promise<void> =>
  part.insert(
    db,
    patterns.map(({ id, intent, text, position }) => ({ account, version, id, intent, text, position })),
  );
const updateRow = part.update(["intent", "text"]);
export const updatePattern = (
  db: Db,
  account: string,
  version: string,
  pattern: StoredPattern,
): Promise<boolean> => updateRow(db, { account, version, ...pattern });
/** Answers how many there were. */
export const deletePatterns = (
  db: Db,
  account: string,
  version: string,
  which: Pick<Which<PatternRow>, "id" | "intent">,
): Promise<number> => part.remove(db, account, version, which);
export const moveIntentOfPatterns = moveIntentBy(part.change);
export async function listPatterns(
  db: Db,
  account: string,
  version: string,
  which: Pick<Which<PatternRow>, "id" | "intent"> = {},
  page?: Page,
): Promise<StoredPattern[]> {
  return (await part.list(db, account, version, which, page)).map(patternOf);
}
export const countPatterns = part.count;
