/** Generated cover for podcasts without an image: initials on a colour derived from the podcast. */
import { html } from "#kernel/html";
import type { PodcastRow } from "../tables.ts";

const HUES = 360;
const LETTERS_MAX = 2;

const hueOf = (id: string): number => (Number.parseInt(id.slice(0, 6), 36) || 0) % HUES;
/** Initials of the first two words. One word, or a script without spaces, gives one letter. */
const initialsOf = (title: string): string =>
  title
    .split(/\s+/)
    .flatMap((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])])
    .slice(0, LETTERS_MAX)
    .join("")
    .toUpperCase();

export function drawCover({ id, title }: Pick<PodcastRow, "id" | "title">): string {
  const hue = hueOf(id);
  const arcs = [70, 105, 140].map(
    (radius) =>
      html`<circle cx="300" cy="20" r="${radius}" fill="none" stroke="#fff" stroke-opacity=".22" stroke-width="10"/>`,
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" width="300" height="300"><rect width="300" height="300" fill="hsl(${hue} 42% 34%)"/>${arcs}<text x="28" y="262" fill="#fff" font-family="system-ui,sans-serif" font-weight="700" font-size="118">${initialsOf(title)}</text></svg>`
    .text;
}
