/**
 * Feeds of feedparser's tests: the comment `Expect:` of each says what a right reader finds. Counted are values that a directory of
 * podcasts keeps: title, description, link and guid as text, and dates. Fragments are given a title and an enclosure, so that they are read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { webAddress } from "../../dist/services/podcasts/domain/feeds/addresses.js";
import { parseFeedDate } from "../../dist/services/podcasts/domain/feeds/dates.js";
import { cleanHtml } from "../../dist/services/podcasts/domain/feeds/html.js";
import { openFeed } from "../../dist/services/podcasts/domain/feeds/read-feed.js";
import { share } from "./support.mjs";

const ADDRESS = "http://127.0.0.1:8097/";
const EXPECT = /Expect:\s*(.+)/;
const VALUE =
  /^(?:not bozo and )?(?<of>feed|entries\[0\])(?:\['(?<member>\w+)'\]|\.(?<dotted>\w+))(?:\['value'\]|\[0\]\['value'\])? == u?(?<literal>(["']).*\5)\s*$/;
const DATE =
  /(?<of>feed|entries\[0\])\['(?<member>published|updated|created|issued)_parsed'\] == \((?<parts>[\d, ]+)\)/;

const MEMBERS = {
  feed: {
    title: "title",
    description: "text",
    tagline: "text",
    subtitle: "text",
    info: "text",
    link: "website",
  },
  entries: {
    title: "title",
    description: "text",
    summary: "text",
    content: "text",
    link: "link",
    id: "guid",
    guid: "guid",
  },
};

/** A literal of Python as text. */
const literalOf = (text) =>
  text
    .replace(/^('''|""")(.*)\1$/s, "'$2'")
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gi, (_, x, u, long, plain) =>
      plain === undefined
        ? String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16))
        : ({ n: "\n", t: "\t", r: "\r" }[plain] ?? plain),
    );
const plain = (markup) => cleanHtml(markup).text.replace(/\s+/g, " ").trim();

const ENCLOSURE = '<enclosure url="http://example.org/a.mp3" type="audio/mpeg" length="1"/>';
/** Bytes as they are, one letter each. */
function completed(bytes) {
  const text = bytes.toString("latin1");
  const whole = text.replace(/<((?:\w+:)?(?:item|entry))(\s[^>]*)?>(?!<\/)/gi, (tag) =>
    tag.endsWith("/>") ? tag : tag + ENCLOSURE,
  );
  return Buffer.from(whole, "latin1");
}
/** At the end, or at the beginning where no end is found. */
function titled(bytes) {
  const text = bytes.toString("latin1");
  const end = /<\/((?:\w+:)?(?:channel|feed|rss|RDF))>/i;
  const whole = end.test(text)
    ? text.replace(end, "<title>Untitled</title></$1>")
    : text.replace(/<((?:\w+:)?(?:channel|feed))(\s[^>]*)?>/i, "$&<title>Untitled</title>");
  return Buffer.from(whole, "latin1");
}

/** Some of the files say what the server of the feed answers beside it. */
function headersIn(bytes) {
  const [, location = ""] = /^Header:\s*Content-Location:\s*(\S+)/im.exec(bytes.toString("latin1")) ?? [];
  const [, contentType = ""] = /^Header:\s*Content-Type:\s*(.+)/im.exec(bytes.toString("latin1")) ?? [];
  return { address: webAddress(location, ADDRESS) || ADDRESS, contentType };
}

function read(bytes) {
  for (const form of [completed(bytes), titled(completed(bytes)), bytes])
    try {
      const { feed, batch } = openFeed(form, headersIn(bytes));
      return { feed, entry: batch(0)[0] };
    } catch (error) {
      if (error.name !== "FeedProblem" && error.constructor.name !== "FeedProblem") throw error;
    }
  return {};
}
const isActive = (html) =>
  /<(?:script|style|iframe|object|embed|applet|frame|meta|link)\b|\son\w+=|javascript:/i.test(html);

function check(file, counts, isTold) {
  const bytes = readFileSync(file);
  const [, expected = ""] = EXPECT.exec(bytes.toString("utf8")) ?? [];
  let found;
  try {
    found = read(bytes);
  } catch (error) {
    counts.crashes += 1;
    console.error(`crashed: ${file}: ${error.message}`);
    return;
  }
  const { feed, entry } = found;
  if ([feed?.description, entry?.description].some((html) => html && isActive(html))) {
    counts.active += 1;
    console.error(`active: ${file}`);
  }
  const date = DATE.exec(expected);
  const value = VALUE.exec(expected);
  const of = (date ?? value)?.groups.of === "feed" ? "feed" : "entries";
  const holder = of === "feed" ? feed : entry;
  if (date && of === "entries") {
    const [year, month, day, hours, minutes, seconds] = date.groups.parts.split(",").map(Number);
    const wanted = Date.UTC(year, month - 1, day, hours, minutes, seconds);
    counts.dates += 1;
    if (holder?.pubDateMs === wanted) counts.datesRight += 1;
    else if (isTold) console.error(`date: ${file}: ${holder?.pubDateMs} instead of ${wanted}`);
  }
  const member = value && MEMBERS[of][value.groups.member ?? value.groups.dotted];
  if (!member || /(["']) (?:and|\+) /.test(value.groups.literal)) return;
  const wanted = literalOf(value.groups.literal);
  if (plain(wanted) === "") return;
  const got = holder?.[member] ?? "";
  counts.values += 1;
  const isRight = ["link", "website", "guid"].includes(member)
    ? got === wanted || (URL.canParse(wanted) && got === new URL(wanted).href)
    : got.replace(/\s+/g, " ").trim() === plain(wanted);
  if (isRight) counts.right += 1;
  else if (isTold)
    console.error(
      `${file}: ${of} ${member}\n  wanted ${JSON.stringify(plain(wanted))}\n  got    ${JSON.stringify(plain(got))}`,
    );
}

export function figures(folder, words) {
  const counts = { files: 0, values: 0, right: 0, dates: 0, datesRight: 0, active: 0, crashes: 0 };
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".xml"))
    .sort();
  for (const name of files) {
    counts.files += 1;
    check(join(folder, name), counts, words.includes("--differing"));
  }
  const dates = dateForms.filter(([text, iso]) => parseFeedDate(text) === Date.parse(iso)).length;
  return {
    files: counts.files,
    "values right": share(counts.right, counts.values),
    "dates right": share(counts.datesRight, counts.dates),
    "forms of dates right": share(dates, dateForms.length),
    "active content": counts.active,
    crashes: counts.crashes,
  };
}

const dateForms = [
  ["Thu, 5 Sep 2002 0:0:1 GMT", "2002-09-05T00:00:01Z"],
  ["Fri,24 Nov 2023 18:28:36 -0000", "2023-11-24T18:28:36Z"],
  ["Thu, 01 Jan 2004 19:48:21 ET", "2004-01-02T00:48:21Z"],
  ["Thu, 01 Jan 2004 19:48:21 PT", "2004-01-02T03:48:21Z"],
  ["2003-12", "2003-12-01T00:00:00Z"],
  ["2003", "2003-01-01T00:00:00Z"],
  ["2003-12-31T10:14:55-08:00", "2003-12-31T18:14:55Z"],
];
