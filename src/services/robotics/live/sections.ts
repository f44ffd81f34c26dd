/** Sections of the live page: current matches, rankings, schedule, results, alliances and bracket. */
import { html, type Markup, nothing, type Part } from "#kernel/html";
import { bracketOf } from "../domain/bracket.ts";
import type { Alliance, Match, RankingRow } from "../domain/game.ts";
import { type Colour, colourOf, findWinner, isPlayed, type PlayedMatch } from "../domain/outcomes.ts";
import { seasonRuleOf } from "../domain/season-rules.ts";
import { bracketDrawing } from "./bracket-drawing.ts";

/** `resultModified` is the second of the last change of its result. */
export type LiveMatch = Match & { readonly resultModified: number };

export type LiveEvent = {
  readonly season: number;
  readonly name: string;
  /** Location and dates. */
  readonly where: string;
  readonly matches: readonly LiveMatch[];
  readonly rankings: readonly RankingRow[];
  readonly alliances: readonly Alliance[];
  readonly teamNames: ReadonlyMap<number, string>;
};

const UPCOMING_SHOWN = 8;
const RESULTS_SHOWN = 8;
/** Fits the screen of a hall, with tables side by side. */
const RANKS_PER_TABLE = 20;
const RANK_TABLES_MAX = 3;

const section = (name: string, title: string, content: Part): Markup =>
  html`<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>${content}</section>`;

const teamsOf = (match: Match, colour: Colour): number[] =>
  match.teams.filter((team) => colourOf(team) === colour).map(({ teamNumber }) => teamNumber);

/** `2024-03-02T09:00:00` as 09:00. */
const timeOf = ({ startTime }: Match): string => startTime?.slice(11, 16) ?? "";

function sideOf(match: Match, colour: Colour): Markup {
  const winner = findWinner(match);
  const lost = winner !== undefined && winner !== colour;
  const score = isPlayed(match) ? (colour === "Red" ? match.red : match.blue).final : undefined;
  return html`<div class="side ${colour.toLowerCase()}${lost ? " lost" : ""}">
<ul class="numbers" aria-label="${colour} alliance">${teamsOf(match, colour).map((team) => html`<li>${team}</li>`)}</ul>
${score === undefined ? nothing : html`<span class="score numbers">${score}</span>`}</div>`;
}

const headOf = (name: string, title: string, match: Match): Markup =>
  section(
    name,
    title,
    html`<div class="head"><p class="what"><span>${match.description}</span><span class="muted numbers">${timeOf(match)}</span></p>
${sideOf(match, "Red")}${sideOf(match, "Blue")}</div>`,
  );

/** Latest entered result first. Of results entered together, the later match comes first. */
const latestFirst = (matches: readonly LiveMatch[]): (LiveMatch & PlayedMatch)[] =>
  matches
    .filter((match): match is LiveMatch & PlayedMatch => match.level !== "Practice" && isPlayed(match))
    .map((match, index) => ({ match, index }))
    .sort((a, b) => b.match.resultModified - a.match.resultModified || b.index - a.index)
    .map(({ match }) => match);

/** Qualification matches show their number. Playoff matches omit the round, because the bracket shows it. */
const shortNameOf = ({ level, matchNumber, description }: Match): Part =>
  level === "Qualification"
    ? html`<span class="unseen">${description}</span><span aria-hidden="true">Q${matchNumber}</span>`
    : description.split(" (")[0];

function matchRow(match: Match): Markup {
  const winner = findWinner(match);
  const numbers = (colour: Colour) =>
    html`<span class="${winner === colour ? "won" : ""}">${teamsOf(match, colour).join(" ")}</span>`;
  const scores = isPlayed(match) ? html`${match.red.final} – ${match.blue.final}` : timeOf(match);
  return html`<tr><td>${shortNameOf(match)}</td><td class="red-side">${numbers("Red")}</td><td class="blue-side">${numbers("Blue")}</td><td class="count">${scores}</td></tr>`;
}

const matchTable = (what: string, last: string, matches: readonly Match[]): Markup =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Table of ${what}"><table><caption class="unseen">${what}</caption>
<thead><tr><th scope="col">Match</th><th scope="col">Red</th><th scope="col">Blue</th><th scope="col" class="count">${last}</th></tr></thead>
<tbody>${matches.map(matchRow)}</tbody></table></div>`;

const restOf = (name: string, label: string, table: Markup): Markup =>
  html`<details data-name="${name}"><summary>${label}</summary>${table}</details>`;

function upcomingSection(matches: readonly Match[]): Markup {
  const upcoming = matches.filter((match) => match.level !== "Practice" && !isPlayed(match));
  if (upcoming.length === 0) return nothing;
  const more = upcoming.slice(UPCOMING_SHOWN);
  return section(
    "schedule",
    "Next matches",
    html`${matchTable("the next matches", "Time", upcoming.slice(0, UPCOMING_SHOWN))}
${more.length === 0 ? nothing : restOf("schedule", `${more.length} more`, matchTable("later matches", "Time", more))}`,
  );
}

function resultsSection(played: readonly PlayedMatch[]): Markup {
  if (played.length === 0) return nothing;
  const more = played.slice(RESULTS_SHOWN);
  return section(
    "results",
    "Results",
    html`${matchTable("the latest results", "Score", played.slice(0, RESULTS_SHOWN))}
${more.length === 0 ? nothing : restOf("results", `${more.length} more`, matchTable("earlier results", "Score", more))}`,
  );
}

function rankingsSection({ season, rankings, teamNames }: LiveEvent): Markup {
  if (rankings.length === 0) return nothing;
  const first = seasonRuleOf(season).sortOrders[0]?.name ?? "Score";
  const count = Math.min(RANK_TABLES_MAX, Math.ceil(rankings.length / RANKS_PER_TABLE));
  const rows = Math.ceil(rankings.length / count);
  /** Three tables leave no room for names. */
  const names = count < RANK_TABLES_MAX ? teamNames : new Map<number, string>();
  const tables = Array.from({ length: count }, (_, index) =>
    rankings.slice(index * rows, (index + 1) * rows),
  );
  return section(
    "rankings",
    "Rankings",
    html`<div class="tables">${tables.map((some, index) => rankingTable(`Rankings ${index + 1}`, first, some, names))}</div>`,
  );
}

const rankingTable = (
  caption: string,
  first: string,
  rows: readonly RankingRow[],
  names: ReadonlyMap<number, string>,
): Markup =>
  html`<table><caption class="unseen">${caption}</caption><thead><tr><th scope="col">Rank</th><th scope="col">Team</th><th scope="col" class="count">${first}</th><th scope="col" class="count">Record</th></tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><td class="rank">${row.rank}</td><td class="team"><b>${row.teamNumber}</b> <span class="muted small">${names.get(row.teamNumber)}</span></td><td class="count">${row.sortOrder1}</td><td class="count">${row.wins}-${row.losses}-${row.ties}</td></tr>`,
  )}</tbody></table>`;

function allianceCard(alliance: Alliance, champion: number | null): Markup {
  const { number, name, captain, round1, round2, round3, backup } = alliance;
  const teams = [captain, round1, round2, round3, backup].filter((team) => team !== null);
  return html`<div class="alliance${number === champion ? " champion" : ""}"><p>${name}${number === champion ? " – champions" : nothing}</p>
<ul>${teams.map((team) => html`<li>${team}</li>`)}</ul></div>`;
}

function playoffSections({ season, alliances, matches }: LiveEvent): Markup {
  if (alliances.length === 0) return nothing;
  const playoffs = matches.filter(({ level }) => level === "Playoff");
  const bracket = bracketOf(season, alliances, playoffs);
  const cards = section(
    "alliances",
    "Alliances",
    html`<div class="alliances">${alliances.map((alliance) => allianceCard(alliance, bracket.champion))}</div>`,
  );
  const standings = bracket.standings.map(({ name, rows }) =>
    rows.length === 0
      ? nothing
      : html`<h3>${name}</h3><table><thead><tr><th scope="col">Alliance</th><th scope="col" class="count">Played</th><th scope="col" class="count">Average</th></tr></thead>
<tbody>${rows.map(({ alliance, played, average }) => html`<tr><td>${alliance}</td><td class="count">${played}</td><td class="count">${average}</td></tr>`)}</tbody></table>`,
  );
  const drawn = bracket.kind === "averageScore" ? standings : bracketDrawing(bracket, alliances);
  return html`${section("playoffs", "Playoffs", drawn)}${cards}`;
}

/** All content that changes, in one element, so that an open page can replace it. */
export function eventSections(event: LiveEvent): Markup {
  const played = latestFirst(event.matches);
  const next = event.matches.find((match) => match.level !== "Practice" && !isPlayed(match));
  const latest = played[0];
  const isEmpty = event.matches.length === 0 && event.alliances.length === 0 && event.rankings.length === 0;
  if (isEmpty)
    return html`<div class="panels" data-part="panels"><section><p>Nothing has been announced yet. This page shows it as soon as it is.</p></section></div>`;
  const heads = html`${next ? headOf("next", "Next", next) : nothing}${latest ? headOf("latest", "Latest result", latest) : nothing}`;
  const parts: [string, string, boolean][] = [
    ["schedule", "Schedule", next !== undefined],
    ["results", "Results", latest !== undefined],
    ["playoffs", "Playoffs", event.alliances.length > 0],
    ["rankings", "Rankings", event.rankings.length > 0],
  ];
  return html`<div class="panels" data-part="panels">
<nav class="tabs" aria-label="Parts of this page">${parts.map(([name, label, isThere]) => isThere && html`<a href="#${name}">${label}</a>`)}</nav>
${event.alliances.length > 0 ? playoffPanels(event, heads, played) : rankingPanels(event, heads, played)}
</div>`;
}

/** The bracket has the full width, to be readable from a distance. */
const playoffPanels = (event: LiveEvent, heads: Markup, played: readonly PlayedMatch[]): Markup =>
  html`<div class="pair">${heads}</div>
${playoffSections(event)}
<div class="pair">${upcomingSection(event.matches)}${resultsSection(played)}</div>
${rankingsSection(event)}`;

/** Before the playoffs, the ranking is beside the matches. */
const rankingPanels = (event: LiveEvent, heads: Markup, played: readonly PlayedMatch[]): Markup =>
  html`<div class="beside"><div class="play">${heads}${upcomingSection(event.matches)}${resultsSection(played)}</div>
${rankingsSection(event)}</div>`;

/** Announcement for screen readers. */
export function latestWords({ matches }: LiveEvent): string {
  const [latest] = latestFirst(matches);
  return latest ? `${latest.description}: red ${latest.red.final}, blue ${latest.blue.final}.` : "";
}
