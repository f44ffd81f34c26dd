/** A list of contributions as an RSS feed with enclosures. */
import { httpDateOf, parseInstant } from "#kernel/clock";
import { escapeHtml } from "#kernel/html";
import type { ContributionsContext } from "../state.ts";
import type { ContributionRow } from "../tables/index.ts";
import type { ContributionView } from "../views/contribution-views.ts";

type Artifact = ContributionView["mediaUsages"][number]["artifacts"][number];
/** The preferred formats of a medium: the first that exists is used. */
const ENCLOSED = ["optimised", "large", "medium", "thumbnail"];
/** Characters that XML 1.0 cannot represent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const UNSPEAKABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const xml = (text: string): string => escapeHtml(text.replace(UNSPEAKABLE, ""));

function enclosureOf(artifacts: readonly Artifact[]): string {
  for (const label of ENCLOSED) {
    const found = artifacts.find((one) => one.label === label);
    if (found)
      return `<enclosure url="${xml(found.url)}" length="${found.contentLength}" type="${xml(found.contentType)}"/>`;
  }
  return "";
}
/** An item has one enclosure. Other media follow as media contents. */
function mediaOf(view: ContributionView): string {
  const [first, ...more] = view.mediaUsages.map(({ artifacts }) => artifacts);
  const contents = more
    .map((artifacts) => enclosureOf(artifacts))
    .filter((text) => text !== "")
    .map((text) => text.replace("<enclosure", "<media:content").replace(" length=", " fileSize="));
  return [first ? enclosureOf(first) : "", ...contents].join("");
}

const rfc822 = (iso: string): string => httpDateOf(parseInstant(iso) ?? 0);
/** The assignment's page, starting at this contribution. */
const addressOf = (mountUrl: string, { id, assignment_id, place }: ContributionRow): string =>
  `${mountUrl}/pages/${assignment_id}?before=${place + 1}#c-${id}`;
function itemOf(view: ContributionView, address: string): string {
  const title = view.headline === "" ? `Contribution ${view.id}` : view.headline;
  const { latLong } = view.place ?? {};
  return [
    "<item>",
    `<title>${xml(title)}</title>`,
    `<link>${xml(address)}</link>`,
    `<guid isPermaLink="false">${xml(view.id)}</guid>`,
    `<pubDate>${rfc822(view.created)}</pubDate>`,
    `<description>${xml(view.body)}</description>`,
    view.attribution === "" ? "" : `<dc:creator>${xml(view.attribution)}</dc:creator>`,
    ...view.tags.map((tag) => `<category>${xml(tag.name)}</category>`),
    latLong ? `<georss:point>${latLong.latitude} ${latLong.longitude}</georss:point>` : "",
    mediaOf(view),
    "</item>",
  ].join("");
}

export function feedOf(
  { request, clock }: ContributionsContext,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  rows: readonly ContributionRow[],
  views: readonly ContributionView[],
): string {
  const { mountUrl } = request;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, format: "rss" }))
    if (value !== undefined) parameters.set(name, String(value));
  const self = `${mountUrl}/contributions?${parameters}`;
  const [assignment, ...more] = new Map(views.map((view) => [view.assignment?.id, view.assignment])).values();
  const only = more.length === 0 ? assignment : undefined;
  const built = views[0]?.created ?? clock.nowIso();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:georss="http://www.georss.org/georss" xmlns:media="http://search.yahoo.com/mrss/">',
    "<channel>",
    `<title>${xml(only?.name ?? "Contributions")}</title>`,
    `<link>${xml(only?.webUrl ?? `${mountUrl}/contributions`)}</link>`,
    `<description>${xml("What people have sent, the newest first.")}</description>`,
    `<atom:link href="${xml(self)}" rel="self" type="application/rss+xml"/>`,
    `<lastBuildDate>${rfc822(built)}</lastBuildDate>`,
    ...views.map((view, at) => itemOf(view, addressOf(mountUrl, rows[at] as ContributionRow))),
    "</channel></rss>",
  ].join("\n");
}
