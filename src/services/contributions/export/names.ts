/** File names that are valid on every system: letters, digits and dashes, short, and unique. */
import { isoOf } from "#kernel/clock";

const WORDS_LENGTH_MAX = 50;

type Named = { readonly id: string; readonly urlWords: string; readonly createdAtMs: number };

/** Begins with a date, so that no name is reserved on any system. */
export function fileNameOf({ id, urlWords, createdAtMs }: Named): string {
  const safe = (text: string): string => text.replace(/[^A-Za-z0-9-]/g, "-");
  const words = safe(urlWords).slice(0, WORDS_LENGTH_MAX).split("-");
  return [isoOf(createdAtMs).slice(0, 10), ...words.filter((word) => word !== ""), safe(id)].join("-");
}
export const textName = (name: string): string => `texts/${name}.txt`;
export const jsonName = (name: string): string => `json/${name}.json`;
export const mediaName = (name: string, position: number, fileExtension: string): string =>
  `media/${name}-${String(position + 1).padStart(2, "0")}.${fileExtension}`;
export const COMBINED_NAME = "contributions.txt";
