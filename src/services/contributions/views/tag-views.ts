/** Tags and tag sets as clients see them. */
import type { TagRow, TagSetRow } from "../tables/index.ts";

export const tagSetViewOf = ({ id, name, url_words }: TagSetRow) => ({ id, name, urlWords: url_words });
export const tagViewOf = (row: TagRow, set: TagSetRow | undefined) => ({
  id: row.id,
  name: row.name,
  urlWords: row.url_words,
  ...(row.colour !== null && { colour: row.colour }),
  ...(set && { tagSet: tagSetViewOf(set) }),
});
export type TagView = ReturnType<typeof tagViewOf>;
