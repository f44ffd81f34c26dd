/** The listening pages: a podcast, an episode with player, chapters and transcript, and lists of both. */
import { builtScript, html, Markup, nothing, type Page, Pages, type Part } from "#kernel/html";
import type { Chapter, Person, Podcasting } from "../domain/feeds/feed.ts";
import type { Cue } from "../domain/feeds/transcripts.ts";
import type { EpisodeRow, PodcastRow, TranscriptRow } from "../tables.ts";
import { audioOf, type Links, picturesOf } from "../wire/index.ts";
import { style } from "./style.ts";
import { clockText, dayText, lengthText, rhythmText } from "./words.ts";

const pages = new Pages({
  style: { text: style },
  script: builtScript("podcasts-listen"),
  icon: "/console/assets/icon.svg",
  foot: "Sound and pictures come from where the podcast publishes them.",
});
const EVERYWHERE = ["http:", "https:"];
const protection = { withScript: true, pictureSources: EVERYWHERE, soundSources: EVERYWHERE };

/** Safe as markup, because the feed parser sanitized it. */
const prose = (cleaned: string): Markup => html`<div class="prose">${new Markup(cleaned)}</div>`;
const fact = (text: Part): Part => (text === "" || text === nothing ? nothing : html`<span>${text}</span>`);
const cover = (address: string): Part => html`<img class="cover" src="${address}" alt="">`;

const episodeList = (episodes: readonly EpisodeRow[], links: Links): Markup =>
  html`<ul class="episodes">${episodes.map(
    (one) =>
      html`<li><a href="${links.episode(one.id)}"><span class="name">${one.title}</span><span class="when">${[
        dayText(Number(one.pub_date_ms)),
        lengthText(Number(one.audio_length_sec)),
      ]
        .filter((text) => text !== "")
        .join(" · ")}</span></a></li>`,
  )}</ul>`;

const linkTo = (address: string, text: string): Part =>
  address === "" ? nothing : html`<a href="${address}" rel="nofollow noopener">${text}</a>`;
const personList = (persons: readonly Person[]): Part =>
  persons.length === 0
    ? nothing
    : html`<p class="facts">${persons.map(({ name, role, url }) => fact(html`${url === "" ? name : linkTo(url, name)} (${role})`))}</p>`;

export function renderPodcastPage(podcast: PodcastRow, episodes: readonly EpisodeRow[], links: Links): Page {
  const { funding = [], persons = [] }: Podcasting = JSON.parse(podcast.podcasting);
  return pages.renderBelowBar({
    title: podcast.title,
    main: html`<main class="column stack" id="content">
<div class="head">${cover(picturesOf(podcast, links).image)}<div class="stack tight"><h1>${podcast.title}</h1>
<p class="muted">${podcast.publisher}</p>
<p class="facts">${[
      fact(`${Number(podcast.total_episodes)} episodes`),
      fact(rhythmText(Number(podcast.update_frequency_hours))),
      fact(podcast.language),
      fact(Number(podcast.explicit_content) === 1 ? "explicit" : ""),
      fact(linkTo(podcast.website, "Website")),
      fact(/^https?:/.test(podcast.rss) ? linkTo(podcast.rss, "Feed") : ""),
      ...funding.map(({ url, text }) => fact(linkTo(url, text || "Support it"))),
    ]}</p>
${personList(persons)}</div></div>
<section class="card"><h2>About</h2>${prose(podcast.description)}</section>
<section class="card"><h2>Episodes</h2>${episodeList(episodes, links)}</section>
</main>`,
    protection,
  });
}

type Moment = { readonly startSeconds: number; readonly who?: string; readonly text: string };
const moments = (label: string, all: readonly Moment[]): Markup =>
  html`<div class="moments" data-moments role="group" aria-label="${label}">${all.map(
    ({ startSeconds, who = "", text }) =>
      html`<button type="button" data-start="${startSeconds}"><span class="at">${clockText(startSeconds)}</span><span>${
        who === "" ? nothing : html`<span class="who">${who}:</span> `
      }${text}</span></button>`,
  )}</div>`;

function transcriptSection(transcript: TranscriptRow | undefined): Part {
  if (!transcript || transcript.text === "") return nothing;
  const cues: Cue[] = JSON.parse(transcript.cues);
  const content =
    cues.length === 0
      ? html`<div class="prose">${transcript.text.split("\n").map((line) => html`<p>${line}</p>`)}</div>`
      : moments(
          "Transcript",
          cues.map(({ startSeconds, speaker, text }) => ({ startSeconds, who: speaker, text })),
        );
  return html`<section class="card" id="transcript"><div class="tools"><h2>Transcript</h2>${
    cues.length === 0
      ? nothing
      : html`<label class="choice"><input type="checkbox" id="follow" checked> Follow the audio</label>`
  }</div>${content}</section>`;
}
function chapterSection(chapters: readonly Chapter[]): Part {
  if (chapters.length === 0) return nothing;
  return html`<section class="card" id="chapters"><h2>Chapters</h2>${moments(
    "Chapters",
    chapters.map(({ startSeconds, title }) => ({ startSeconds, text: title })),
  )}</section>`;
}

export function renderEpisodePage(
  episode: EpisodeRow,
  podcast: PodcastRow,
  transcript: TranscriptRow | undefined,
  links: Links,
): Page {
  const isListed = Number(episode.is_listed) === 1;
  return pages.renderBelowBar({
    title: `${episode.title} · ${podcast.title}`,
    main: html`<main class="column stack" id="content">
<div class="head">${cover(picturesOf(episode, links).image)}<div class="stack tight"><h1>${episode.title}</h1>
<p><a href="${links.podcast(podcast.id)}">${podcast.title}</a></p>
<p class="facts">${[
      fact(dayText(Number(episode.pub_date_ms))),
      fact(lengthText(Number(episode.audio_length_sec))),
      fact(Number(episode.season) > 0 ? `season ${Number(episode.season)}` : ""),
      fact(Number(episode.number) > 0 ? `episode ${Number(episode.number)}` : ""),
      fact(episode.type === "full" ? "" : episode.type),
      fact(Number(episode.explicit_content) === 1 ? "explicit" : ""),
      fact(linkTo(episode.link, "Show notes")),
    ]}</p>
${personList(JSON.parse(episode.persons))}</div></div>
${isListed ? nothing : html`<p class="note">The podcast has withdrawn this episode.</p>`}
<div class="player"><audio controls preload="metadata" src="${audioOf(episode, links)}" aria-label="${episode.title}"></audio></div>
${chapterSection(JSON.parse(episode.chapters))}
${transcriptSection(transcript)}
<section class="card"><h2>About</h2>${prose(episode.description)}</section>
</main>`,
    protection,
  });
}

export type ListedThing = { readonly address: string; readonly name: string; readonly told: string };
/** A curated list, a playlist or a genre. */
export const renderListPage = (title: string, description: string, things: readonly ListedThing[]): Page =>
  pages.renderColumn({
    title,
    heading: title,
    content: html`<p class="muted">${description}</p>
<section class="card"><ul class="episodes">${things.map(
      ({ address, name, told }) =>
        html`<li><a href="${address}"><span class="name">${name}</span><span class="when">${told}</span></a></li>`,
    )}</ul>${things.length === 0 ? html`<p class="muted">There is nothing on it yet.</p>` : nothing}</section>`,
    protection,
  });

export const renderNothingPage = (): Page =>
  pages.renderSheet({
    status: 404,
    title: "Not found",
    heading: "There is nothing here",
    content: html`<p>The address names a podcast, an episode or a list that is not known here.</p>`,
  });
