/** Parses RSS 2.0 and older versions, RSS 1.0 and Atom, with iTunes and Podcasting 2.0 tags. */
import { baseIn, platformsIn, storeOneIdIn, storeTwoIdIn, webAddress } from "./addresses.ts";
import { parseFeedDate } from "./dates.ts";
import { decodeText } from "./encoding.ts";
import { type Feed, type FeedEpisode, FeedProblem } from "./feed.ts";
import { cleanHtml, firstLineOf, plainLine } from "./html.ts";
import { imageOf } from "./image.ts";
import { podcastingOf } from "./podcasting.ts";
import { episodeOf, explicitOf } from "./read-episode.ts";
import {
  childOf,
  childrenOf,
  firstTextOf,
  markupOf,
  ownTextOf,
  readXml,
  TooComplexError,
  textOfChild,
  type XmlNode,
} from "./xml-tree.ts";

export const EPISODES_MAX = 20_000;
const CATEGORIES_MAX = 20;
const BATCH_ITEMS = 100;

type Found = {
  readonly dialect: Feed["dialect"];
  readonly channel: XmlNode;
  readonly items: readonly XmlNode[];
};

function findChannel(root: XmlNode | undefined): Found {
  const local = root?.name.slice(root.name.indexOf(":") + 1);
  if (root && local === "rss") {
    const channel = childOf(root, "channel") ?? root;
    const inside = [...childrenOf(channel, "item")];
    return { dialect: "rss2", channel, items: inside.length > 0 ? inside : [...childrenOf(root, "item")] };
  }
  if (root && local === "rdf")
    return {
      dialect: "rss1",
      channel: childOf(root, "channel") ?? root,
      items: [...childrenOf(root, "item")],
    };
  if (root && local === "feed")
    return { dialect: "atom", channel: root, items: [...childrenOf(root, "entry")] };
  if (root && local === "channel")
    return { dialect: "rss2", channel: root, items: [...childrenOf(root, "item")] };
  if (local === "html" || local === "!doctype")
    throw new FeedProblem("The address leads to a web page, not to a feed.");
  throw new FeedProblem("The document is not a feed of any kind that is known.");
}

function categoriesOf(channel: XmlNode): string[] {
  const names: string[] = [];
  const take = (node: XmlNode): void => {
    const name = plainLine(
      node.attributes.text ?? node.attributes.term ?? node.attributes.label ?? ownTextOf(node),
      100,
    );
    if (name !== "")
      names.push(
        ...name
          .split(/[/>,]/)
          .map((part) => part.trim())
          .filter((part) => part !== ""),
      );
    for (const inner of childrenOf(node, "itunes:category")) take(inner);
  };
  for (const name of ["itunes:category", "googleplay:category", "category", "dc:subject"])
    for (const node of childrenOf(channel, name)) take(node);
  return [...new Set(names)].slice(0, CATEGORIES_MAX);
}

function websiteOf(channel: XmlNode, base: string): string {
  for (const link of [...childrenOf(channel, "link"), ...childrenOf(channel, "atom:link")]) {
    const { rel = "alternate", href } = link.attributes;
    const address = href === undefined ? ownTextOf(link) : rel === "alternate" ? href : "";
    const found = webAddress(address, baseIn(link, base));
    if (found !== "") return found;
  }
  return webAddress(channel.attributes.href ?? channel.attributes.HREF ?? "", base);
}
function selfOf(channel: XmlNode): string {
  for (const link of [...childrenOf(channel, "link"), ...childrenOf(channel, "atom:link")])
    if (link.attributes.rel === "self") return webAddress(link.attributes.href ?? "");
  return "";
}

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{3,255}/;
const emailIn = (text: string): string => EMAIL.exec(text)?.[0] ?? "";
function emailOf(channel: XmlNode): string {
  const owner = childOf(channel, "itunes:owner");
  const texts = [
    textOfChild(owner, "itunes:email"),
    textOfChild(channel, "googleplay:email"),
    textOfChild(childOf(channel, "author"), "email"),
    textOfChild(channel, "managingeditor"),
    textOfChild(channel, "webmaster"),
  ];
  return texts.map(emailIn).find((email) => email !== "") ?? "";
}
/** Both `ann@example.org (Ann Example)` and `Ann Example (ann@example.org)` give `Ann Example`. */
function nameIn(text: string): string {
  const outside = text.replace(EMAIL, "").replace(/\(\s{0,20}\)/, "");
  return plainLine(/\(([^()]{1,200})\)/.exec(outside)?.[1] ?? outside, 300);
}
function publisherOf(channel: XmlNode): string {
  const texts = [
    textOfChild(channel, "itunes:author"),
    textOfChild(channel, "googleplay:author"),
    textOfChild(childOf(channel, "author"), "name"),
    textOfChild(childOf(channel, "itunes:owner"), "itunes:name"),
    textOfChild(channel, "dc:creator"),
    textOfChild(channel, "dc:publisher"),
    textOfChild(channel, "managingeditor"),
    textOfChild(channel, "author"),
    textOfChild(channel, "copyright"),
  ];
  return texts.map(nameIn).find((name) => name !== "") ?? "";
}

const CHANNEL_DATES = ["pubdate", "lastbuilddate", "updated", "modified", "published", "dc:date"];

const isYes = (text: string): boolean => /^(?:yes|true|1|explicit)$/i.test(text.trim());

function descriptionOf(channel: XmlNode, base: string) {
  const markup = [
    "itunes:summary",
    "description",
    "content:encoded",
    "subtitle",
    "tagline",
    "itunes:subtitle",
    "dc:description",
    "info",
    "abstract",
  ].map((name) => {
    const node = childOf(channel, name);
    return cleanHtml(markupOf(node), { base: node ? baseIn(node, base) : base });
  });
  if (markup.every(({ text }) => text === ""))
    return cleanHtml(markupOf(childOf(channel, "feedburner:browserfriendly")), { base });
  return markup.reduce((best, one) => (one.text.length > best.text.length ? one : best), {
    html: "",
    text: "",
  });
}

function parsed(bytes: Uint8Array, contentType: string): XmlNode | undefined {
  const text = decodeText(bytes, contentType);
  if (text.trim() === "") throw new FeedProblem("The document is empty.");
  try {
    return readXml(text);
  } catch (error) {
    if (error instanceof TooComplexError) throw new FeedProblem(error.message);
    throw error;
  }
}

export type OpenFeed = {
  readonly feed: Omit<Feed, "episodes">;
  readonly itemCount: number;
  readonly batchCount: number;
  /** Playable episodes of a batch of items, counted from 0. */
  batch(index: number): FeedEpisode[];
};

/** `address` is the URL of the document, for relative links. Throws FeedProblem. */
export function openFeed(bytes: Uint8Array, { contentType = "", address = "" } = {}): OpenFeed {
  const { dialect, channel, items } = findChannel(parsed(bytes, contentType));
  const found = webAddress(address);
  const base = baseIn(channel, found);
  const website = websiteOf(channel, base);
  const title = firstLineOf(channel, ["title", "itunes:title", "dc:title", "media:title"]);
  if (title === "") throw new FeedProblem("The feed has no title.");
  if (items.length > EPISODES_MAX) throw new FeedProblem(`The feed has more than ${EPISODES_MAX} episodes.`);
  const { html, text } = descriptionOf(channel, base);
  const podcasting = podcastingOf(channel, base);
  const told = [website, ...(podcasting.funding ?? []).map(({ url }) => url), html].join(" ");
  const feed = {
    dialect,
    title,
    description: html,
    text,
    publisher: publisherOf(channel),
    email: emailOf(channel),
    website,
    image: imageOf(channel, base || website),
    languageTag: firstTextOf(channel, ["language", "dc:language"]) || (channel.attributes["xml:lang"] ?? ""),
    categories: categoriesOf(channel),
    type: /serial/i.test(textOfChild(channel, "itunes:type")) ? ("serial" as const) : ("episodic" as const),
    isExplicit: explicitOf(channel),
    isBlocked: isBlocked(channel),
    dateMs: parseFeedDate(firstTextOf(channel, CHANNEL_DATES)),
    isComplete: isYes(textOfChild(channel, "itunes:complete")),
    newAddress: webAddress(textOfChild(channel, "itunes:new-feed-url"), base),
    selfAddress: selfOf(channel),
    podcasting,
    storeOneId: storeOneIdIn(told),
    storeTwoId: storeTwoIdIn(told),
    extra: extraOf(told, podcasting.funding ?? []),
  };
  return {
    feed,
    itemCount: items.length,
    batchCount: Math.ceil(items.length / BATCH_ITEMS),
    batch: (index) =>
      items
        .slice(index * BATCH_ITEMS, (index + 1) * BATCH_ITEMS)
        .flatMap((item) => episodeOf(item, { base: base || website }) ?? []),
  };
}

const isBlocked = (channel: XmlNode): boolean =>
  isYes(textOfChild(channel, "itunes:block")) ||
  [...childrenOf(channel, "podcast:block")].some(
    (node) => node.attributes.id === undefined && isYes(ownTextOf(node)),
  );

function extraOf(told: string, funding: readonly { readonly url: string }[]): Record<string, string> {
  const extra = platformsIn(told);
  for (const [at, { url }] of funding.slice(0, 3).entries()) extra[`url${at + 1}`] = url;
  return extra;
}

/** Of items with the same guid, the first is kept. */
export function withoutDoubles<One extends { readonly guid: string }>(all: readonly One[]): One[] {
  const seen = new Set<string>();
  return all.filter(({ guid }) => !seen.has(guid) && seen.add(guid));
}
