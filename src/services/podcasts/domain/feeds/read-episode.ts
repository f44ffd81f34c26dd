/** Parses an item or entry of a feed. */
import { createHash } from "node:crypto";
import { baseIn, webAddress } from "./addresses.ts";
import { parseFeedDate } from "./dates.ts";
import { parseDuration, parseOffset } from "./durations.ts";
import { cutText } from "./encoding.ts";
import type { Chapter, FeedEpisode } from "./feed.ts";
import { cleanHtml, firstLineOf, plainLine } from "./html.ts";
import { imageOf } from "./image.ts";
import { personsOf, transcriptOf } from "./podcasting.ts";
import {
  childOf,
  childrenOf,
  firstTextOf,
  markupOf,
  ownTextOf,
  textOfChild,
  type XmlNode,
} from "./xml-tree.ts";

const GUID_MAX = 500;
const CHAPTERS_MAX = 500;
const BYTES_MAX = Number.MAX_SAFE_INTEGER;

type Enclosure = {
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
  readonly seconds: number;
};

const AUDIO_TYPE = /^(?:audio|video)\/|^application\/(?:ogg|x-mpegurl|octet-stream)/i;
const AUDIO_NAME = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|wav|flac|mp4|m4v|mov|webm)(?:[?#]|$)/i;

const wholeNumber = (text: string): number => {
  const value = Number(/^\s*\d{1,16}/.exec(text)?.[0] ?? 0);
  return value <= BYTES_MAX ? value : 0;
};

function* enclosuresOf(item: XmlNode, base: string): Generator<Enclosure> {
  const made = (url: string | undefined, type = "", length = "", seconds = "") => ({
    url: webAddress(url ?? "", base),
    type: type.trim().toLowerCase().slice(0, 100),
    bytes: wholeNumber(length),
    seconds: parseDuration(seconds),
  });
  for (const { attributes } of childrenOf(item, "enclosure"))
    yield made(
      attributes.url ?? attributes.href ?? attributes["rdf:resource"],
      attributes.type,
      attributes.length,
    );
  for (const { attributes } of [...childrenOf(item, "link"), ...childrenOf(item, "atom:link")])
    if (attributes.rel === "enclosure") yield made(attributes.href, attributes.type, attributes.length);
  const media = [...childrenOf(item, "media:content")];
  for (const group of childrenOf(item, "media:group")) media.push(...childrenOf(group, "media:content"));
  for (const { attributes } of media)
    yield made(
      attributes.url,
      attributes.type ?? (attributes.medium ? `${attributes.medium}/` : ""),
      attributes.filesize,
      attributes.duration,
    );
}

/** Media groups hold several formats of one recording. */
const withMediaGroups = (item: XmlNode): XmlNode[] => [item, ...childrenOf(item, "media:group")];

/** The first audio enclosure, by media type, or by file name if it has no type. */
function audioOf(item: XmlNode, base: string): Enclosure | undefined {
  const all = [...enclosuresOf(item, base)].filter(({ url }) => url !== "");
  return (
    all.find(({ type }) => AUDIO_TYPE.test(type) && !type.startsWith("application/octet")) ??
    all.find(({ url }) => AUDIO_NAME.test(url)) ??
    all.find(({ type }) => type === "" || type === "application/octet-stream")
  );
}

function linkOf(item: XmlNode, base: string): string {
  for (const link of [...childrenOf(item, "link"), ...childrenOf(item, "atom:link")]) {
    const { rel = "alternate", href } = link.attributes;
    const address = href === undefined ? ownTextOf(link) : rel === "alternate" ? href : "";
    const found = webAddress(address, baseIn(link, base));
    if (found !== "") return found;
  }
  const guid = childOf(item, "guid");
  const permalink =
    guid && isPermalink(guid) ? webAddress(fullName(ownTextOf(guid), baseIn(guid, base))) : "";
  return permalink || webAddress(item.attributes.href ?? item.attributes.HREF ?? "", base);
}
/** By the RSS specification, a guid is a permalink by default. */
const isPermalink = ({ attributes }: XmlNode): boolean =>
  (attributes.ispermalink ?? attributes.isPermaLink ?? "true").trim().toLowerCase() !== "false";
/** Resolves a guid that is a URL path. Other guids stay, because feeds also use plain numbers. */
const fullName = (name: string, base: string): string =>
  (/^\.{0,2}\//.test(name) && base !== "" && webAddress(name, base)) || name;

/** Undefined if the feed declares neither yes nor no. */
export function explicitOf(node: XmlNode): boolean | undefined {
  const said = firstTextOf(node, ["itunes:explicit", "googleplay:explicit", "media:rating"]).toLowerCase();
  if (/^(?:yes|true|explicit|adult)$/.test(said)) return true;
  return /^(?:no|false|clean|nonadult)$/.test(said) ? false : undefined;
}

function chaptersOf(item: XmlNode, base: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const node of childrenOf(childOf(item, "psc:chapters"), "psc:chapter")) {
    const startSeconds = parseOffset(node.attributes.start ?? "");
    if (startSeconds === undefined || chapters.length >= CHAPTERS_MAX) continue;
    chapters.push({
      startSeconds,
      title: plainLine(node.attributes.title ?? "", 200),
      url: webAddress(node.attributes.href ?? "", base),
      image: webAddress(node.attributes.image ?? "", base),
    });
  }
  return chapters;
}

function descriptionOf(item: XmlNode, base: string) {
  const candidates = [
    "content:encoded",
    "description",
    "itunes:summary",
    "content",
    "summary",
    "itunes:subtitle",
    "media:description",
    "dc:description",
    "fullitem",
    "xhtml:body",
    "body",
    "abstract",
  ];
  let best = { html: "", text: "" };
  for (const holder of withMediaGroups(item))
    for (const name of candidates) {
      const node = childOf(holder, name);
      const one = cleanHtml(markupOf(node), { base: node ? baseIn(node, base) : base });
      if (one.text.length > best.text.length) best = one;
    }
  return best;
}

/** The feed's guid. Without one, the value that is least likely to change. */
function guidOf(item: XmlNode, base: string, otherwise: string): string {
  const name = ownNameOf(item, base) || otherwise;
  return name.length <= GUID_MAX ? name : `sha256:${createHash("sha256").update(name).digest("hex")}`;
}

function ownNameOf(item: XmlNode, base: string): string {
  for (const kind of ["guid", "id", "dc:identifier"])
    for (const node of childrenOf(item, kind)) {
      const name = ownTextOf(node);
      const isAddress = kind === "id" || (kind === "guid" && isPermalink(node));
      if (name !== "") return isAddress ? fullName(name, baseIn(node, base)) : name;
    }
  return fullName((item.attributes["rdf:about"] ?? "").trim(), base);
}

const TYPES: ReadonlySet<string> = new Set(["full", "trailer", "bonus"]);

/** Undefined if the item has no audio. */
export function episodeOf(item: XmlNode, outer: { readonly base: string }): FeedEpisode | undefined {
  const base = baseIn(item, outer.base);
  const audio = audioOf(item, base);
  if (!audio) return undefined;
  const { html, text } = descriptionOf(item, base);
  const link = linkOf(item, base);
  const title =
    withMediaGroups(item)
      .map((holder) => firstLineOf(holder, ["title", "itunes:title", "dc:title", "media:title"]))
      .find((line) => line !== "") ||
    plainLine(cutText(text, 80)) ||
    "Untitled";
  const dates = firstTextOf(item, [
    "pubdate",
    "published",
    "dc:date",
    "issued",
    "created",
    "date",
    "updated",
    "modified",
    "dcterms:issued",
    "dcterms:created",
    "dcterms:modified",
  ]);
  const type = textOfChild(item, "itunes:episodetype").toLowerCase();
  return {
    guid: guidOf(item, base, audio.url || link || title),
    title,
    description: html,
    text,
    link,
    audio: audio.url,
    audioType: audio.type,
    audioBytes: audio.bytes,
    audioLengthSeconds: parseDuration(textOfChild(item, "itunes:duration")) || audio.seconds,
    pubDateMs: parseFeedDate(dates),
    image: imageOf(item, base),
    isExplicit: explicitOf(item),
    season: wholeNumber(firstTextOf(item, ["itunes:season", "podcast:season"])),
    number: wholeNumber(firstTextOf(item, ["itunes:episode", "podcast:episode"])),
    type: (TYPES.has(type) ? type : "full") as FeedEpisode["type"],
    chapters: chaptersOf(item, base),
    chaptersUrl: webAddress(childOf(item, "podcast:chapters")?.attributes.url ?? "", base),
    transcript: transcriptOf(item, base),
    persons: personsOf(item, base),
  };
}
