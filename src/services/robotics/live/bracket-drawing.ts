/** Draws a bracket: boxes by round from left to right, with lines to the next set. */
import { html, type Markup, nothing } from "#kernel/html";
import type { Bracket, BracketSet } from "../domain/bracket-shape.ts";
import type { Alliance } from "../domain/game.ts";
import { isPlayed } from "../domain/outcomes.ts";

const BOX = { width: 216, height: 52, gapX: 28, gapY: 6, label: 19 } as const;
const MARGIN = { left: 4, top: 26 } as const;
const TEXT = { side: 15, name: 13, column: 14 } as const;
const ROW = BOX.height / 2;

type Place = { readonly set: BracketSet; readonly x: number; readonly y: number };

/** A set is placed halfway between its feeding sets. Sets without any are stacked. */
function placesOf({ sets }: Bracket): Map<string, Place> {
  const columns = [...new Set(sets.map(({ column }) => column))].sort(byOrder(sets));
  const rows = { upper: 0, lower: 0 };
  const upperCount = sets.filter(isFirst).length;
  const levels = new Map<string, number>();
  for (const set of sets) {
    const feeding = [set.redFrom, set.blueFrom].flatMap((source) => {
      if (!("winnerOf" in source)) return [];
      const from = sets.find(({ key }) => key === source.winnerOf);
      return from && (from.isLower === set.isLower || set.round === "f") ? (levels.get(from.key) ?? []) : [];
    });
    const half = set.isLower ? "lower" : "upper";
    const fresh = () => {
      rows[half] += 1;
      return rows[half] - 1 + (set.isLower ? upperCount + 0.4 : 0);
    };
    levels.set(
      set.key,
      feeding.length === 0 ? fresh() : feeding.reduce((sum, level) => sum + level, 0) / feeding.length,
    );
  }
  return new Map(
    sets.map((set) => [
      set.key,
      {
        set,
        x: MARGIN.left + columns.indexOf(set.column) * (BOX.width + BOX.gapX),
        y: MARGIN.top + BOX.label + (levels.get(set.key) ?? 0) * (BOX.height + BOX.label + BOX.gapY),
      },
    ]),
  );
}

/** In the plan, rounds of the lower bracket can precede rounds that are played earlier. */
const byOrder = (sets: readonly BracketSet[]) => (a: string, b: string) => {
  const order = (column: string) =>
    column === "Final" ? sets.length : sets.findIndex((set) => set.column === column);
  return order(a) - order(b);
};
const isFirst = ({ redFrom }: BracketSet): boolean => "seed" in redFrom;

const teamsOf = (number: number | null, alliances: readonly Alliance[]): string => {
  const alliance = alliances.find((one) => one.number === number);
  if (!alliance) return "";
  const { captain, round1, round2 } = alliance;
  return [captain, round1, round2].filter((team) => team !== null).join(" ");
};

/** Wins in the set, or the score of its only match. */
function resultOf({ winsNeeded, games, redWins, blueWins }: BracketSet, colour: "red" | "blue"): string {
  if (winsNeeded > 1) return games.some(isPlayed) ? String(colour === "red" ? redWins : blueWins) : "";
  const last = games.findLast(isPlayed);
  return last ? String((colour === "red" ? last.red : last.blue).final) : "";
}

function sideOf({ set, x, y }: Place, colour: "red" | "blue", alliances: readonly Alliance[]): Markup {
  const number = set[colour];
  const middle = y + (colour === "red" ? ROW / 2 : ROW * 1.5) + 5;
  const standing = set.winner === null ? "open" : set.winner === number ? "won" : "lost";
  return html`<rect class="${colour}-mark" x="${x}" y="${y + (colour === "red" ? 0 : ROW)}" width="5" height="${ROW}"/>
<text class="${standing}" x="${x + 14}" y="${middle}" font-size="${TEXT.side}">${number ?? nothing}</text>
<text class="${standing}" x="${x + 33}" y="${middle}" font-size="${TEXT.side}">${teamsOf(number, alliances)}</text>
<text class="${standing}" x="${x + BOX.width - 8}" y="${middle}" font-size="${TEXT.side}" text-anchor="end">${resultOf(set, colour)}</text>`;
}

function boxOf(place: Place, alliances: readonly Alliance[]): Markup {
  const { set, x, y } = place;
  return html`<text class="set-name" x="${x}" y="${y - 5}" font-size="${TEXT.name}">${set.label}</text>
<rect class="box" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>
${sideOf(place, "red", alliances)}
${sideOf(place, "blue", alliances)}`;
}

function linesTo(place: Place, places: ReadonlyMap<string, Place>): Markup[] {
  const { set, x, y } = place;
  return ([set.redFrom, set.blueFrom] as const).flatMap((source, index) => {
    const from = "winnerOf" in source ? places.get(source.winnerOf) : undefined;
    if (!from) return [];
    const [startX, startY] = [from.x + BOX.width, from.y + ROW];
    const endY = y + ROW / 2 + index * ROW;
    const bend = x - BOX.gapX / 2;
    return [html`<path class="line" d="M${startX} ${startY}H${bend}V${endY}H${x}"/>`];
  });
}

/** Text alternative of the drawing. */
function wordsOf({ sets }: Bracket): Markup {
  const name = (number: number | null) => (number === null ? "not known yet" : `alliance ${number}`);
  return html`<ul class="unseen">${sets.map(
    (set) =>
      html`<li>${set.label}: ${name(set.red)} against ${name(set.blue)}${
        set.winner === null ? nothing : html`, won by alliance ${set.winner}`
      }</li>`,
  )}</ul>`;
}

export function bracketDrawing(bracket: Bracket, alliances: readonly Alliance[]): Markup {
  const places = placesOf(bracket);
  const all = [...places.values()];
  const width = Math.max(...all.map(({ x }) => x)) + BOX.width + MARGIN.left;
  const height = Math.max(...all.map(({ y }) => y)) + BOX.height + 8;
  const columns = new Map(all.map(({ set, x }) => [set.column, x]));
  return html`<div class="bracket scroll" tabindex="0" role="region" aria-label="Bracket">
<svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
${[...columns].map(([name, x]) => html`<text class="column" x="${x}" y="17" font-size="${TEXT.column}">${name}</text>`)}
${all.flatMap((place) => linesTo(place, places))}
${all.map((place) => boxOf(place, alliances))}
</svg>
${wordsOf(bracket)}</div>`;
}
