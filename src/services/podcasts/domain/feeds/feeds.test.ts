/** Episodes of every dialect, and broken in every way: what exactly is read of each. */
import { describe, expect, it } from "vitest";
import {
  AUDIO,
  bare,
  DATE,
  ENCLOSURE,
  item,
  PLAIN,
  read,
  rss,
  titled,
} from "../../../../../tests/support/feed-documents.ts";
import type { FeedEpisode } from "./feed.ts";

type Case = readonly [what: string, document: string | Uint8Array, differs: Partial<FeedEpisode>];
const GUIDLESS = { guid: AUDIO, pubDateMs: undefined, audioBytes: 0 };

const linked = (address: string) => ({ guid: address, link: address });
const EPISODES: readonly Case[] = [
  // Names that are addresses.
  ["a guid that is a path", item("").replace(">g1<", ">/1<"), linked("https://shows.example.org/1")],
  ["a guid beside the feed", item("").replace(">g1<", ">./1<"), linked("https://shows.example.org/feeds/1")],
  [
    "a guid that is a path and no link",
    item("").replace("<guid>g1", '<guid isPermaLink="false">/1'),
    { guid: "/1" },
  ],
  [
    "an id of Atom that is a path",
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Show</title><entry xml:base="https://x.example/a/"><title>One</title><id>../1</id><published>2026-01-05T10:30:00Z</published><link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/></entry></feed>`,
    { guid: "https://x.example/1" },
  ],
  // Dialects.
  ["RSS 2.0", item(""), {}],
  ["RSS 0.91, without a version it keeps to", item("").replace('version="2.0"', 'version="0.91"'), {}],
  [
    "RSS 1.0",
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"><channel rdf:about="x"><title>Show</title></channel><item rdf:about="https://shows.example.org/1"><title>One</title><link>https://shows.example.org/1</link><dc:date>2026-01-05T10:30:00Z</dc:date><enclosure rdf:resource="${AUDIO}" type="audio/mpeg" length="1000"/></item></rdf:RDF>`,
    { guid: "https://shows.example.org/1", link: "https://shows.example.org/1" },
  ],
  [
    "Atom 1.0",
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Show</title><entry><title>One</title><id>g1</id><published>2026-01-05T10:30:00Z</published><link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/><link href="/1"/><summary type="html">&lt;p&gt;Hi&lt;/p&gt;</summary></entry></feed>`,
    { link: "https://shows.example.org/1", description: "<p>Hi</p>", text: "Hi" },
  ],
  [
    "Atom with a prefix, and XHTML inside",
    `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Show</a:title><a:entry><a:title>One</a:title><a:id>g1</a:id><a:updated>2026-01-05T11:30:00+01:00</a:updated><a:link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/><a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <b>you</b></p></div></a:content></a:entry></a:feed>`,
    { description: "<p>Hi <b>you</b></p>", text: "Hi you" },
  ],
  [
    "Atom whose XHTML declares a namespace that ends with it",
    `<feed xmlns="http://www.w3.org/2005/Atom"><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Show</div></title><entry><title>One</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">the &lt;blink&gt; tag</div></content><id>g1</id><published>2026-01-05T10:30:00Z</published><link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/></entry></feed>`,
    { description: "the &lt;blink&gt; tag", text: "the <blink> tag" },
  ],
  [
    "Atom 0.3 with content in base64",
    `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Show</title><entry><title mode="base64">T25l</title><summary mode="base64">SGkgPGI+eW91PC9iPg==</summary><id>g1</id><issued>2026-01-05T10:30:00Z</issued><link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/></entry></feed>`,
    { description: "Hi <b>you</b>", text: "Hi you" },
  ],
  [
    "xml:base of every element around a link",
    item(
      '<description xml:base="https://other.example.org/a/">&lt;a href="b"&gt;c&lt;/a&gt;</description>',
    ).replace("<item>", '<item xml:base="/elsewhere/"><link>one</link>'),
    {
      link: "https://shows.example.org/elsewhere/one",
      description: '<a href="https://other.example.org/a/b" rel="nofollow noopener">c</a>',
      text: "c",
    },
  ],
  [
    "titles and descriptions of other vocabularies",
    item("<dc:description>of the core</dc:description><dc:title>One</dc:title>").replace(
      "<title>One</title>",
      "",
    ),
    { description: "of the core", text: "of the core" },
  ],
  [
    "a group of recordings",
    item(
      "<media:group><media:title>One</media:title><media:description>About</media:description></media:group>",
    ).replace("<title>One</title>", ""),
    { description: "About", text: "About" },
  ],
  [
    "a body of XHTML",
    item('<body xmlns="http://www.w3.org/1999/xhtml"><p>Hi</p></body>'),
    { description: "<p>Hi</p>", text: "Hi" },
  ],
  [
    "a guid that is an address, and so the page",
    item("").replace("<guid>g1<", "<guid>https://shows.example.org/g<"),
    { guid: "https://shows.example.org/g", link: "https://shows.example.org/g" },
  ],
  [
    "a guid that says that it is no address of a page",
    item("").replace("<guid>g1<", '<guid isPermaLink="false">https://shows.example.org/g<'),
    { guid: "https://shows.example.org/g" },
  ],
  [
    "Atom 0.3",
    `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Show</title><entry><title>One</title><id>g1</id><issued>2026-01-05T10:30:00Z</issued><link rel="enclosure" href="${AUDIO}" type="audio/mpeg" length="1000"/></entry></feed>`,
    {},
  ],
  [
    "items beside the channel",
    `<rss version="2.0"><channel><title>Show</title></channel><item><title>One</title><guid>g1</guid><pubDate>${DATE}</pubDate>${ENCLOSURE}</item></rss>`,
    {},
  ],
  [
    "a channel without its rss",
    `<channel><title>Show</title><item><title>One</title><guid>g1</guid><pubDate>${DATE}</pubDate>${ENCLOSURE}</item></channel>`,
    {},
  ],
  [
    "another prefix for the iTunes tags",
    item("<i:duration>1:00</i:duration>").replace("xmlns:itunes=", "xmlns:i="),
    { audioLengthSeconds: 60 },
  ],
  ["tags in capitals", item("<ITUNES:DURATION>90</ITUNES:DURATION>"), { audioLengthSeconds: 90 }],
  [
    "iTunes tags that nobody declared",
    item("<itunes:season>2</itunes:season>").replace(/xmlns:itunes="[^"]*"/, ""),
    { season: 2 },
  ],
  // Where the audio is.
  [
    "media content instead of an enclosure",
    bare(
      `<title>One</title><guid>g1</guid><media:content url="${AUDIO}" type="audio/mpeg" fileSize="5" duration="75"/>`,
    ),
    { pubDateMs: undefined, audioBytes: 0, audioLengthSeconds: 75 },
  ],
  [
    "media in a group",
    bare(
      `<title>One</title><guid>g1</guid><media:group><media:content url="${AUDIO}" medium="audio"/></media:group>`,
    ),
    { pubDateMs: undefined, audioBytes: 0, audioType: "audio/" },
  ],
  [
    "a picture before the audio",
    bare(
      `<title>One</title><guid>g1</guid><enclosure url="https://x.example/a.jpg" type="image/jpeg" length="1"/>${ENCLOSURE}`,
    ),
    { pubDateMs: undefined },
  ],
  [
    "two enclosures: the first counts",
    item(`<enclosure url="https://audio.example.org/2.mp3" type="audio/mpeg" length="9"/>`),
    {},
  ],
  [
    "no type, but a name that tells",
    bare(`<title>One</title><guid>g1</guid><enclosure url="${AUDIO}"/>`),
    { pubDateMs: undefined, audioType: "", audioBytes: 0 },
  ],
  [
    "a relative address",
    bare(`<title>One</title><guid>g1</guid><enclosure url="../1.mp3" type="audio/mpeg"/>`),
    { pubDateMs: undefined, audioBytes: 0, audio: "https://shows.example.org/1.mp3" },
  ],
  [
    "spaces in an address",
    bare(
      `<title>One</title><guid>g1</guid><enclosure url=" https://audio.example.org/my show.mp3 " type="audio/mpeg"/>`,
    ),
    { pubDateMs: undefined, audioBytes: 0, audio: "https://audio.example.org/my%20show.mp3" },
  ],
  [
    "a length that is none",
    bare(`<title>One</title><guid>g1</guid><enclosure url="${AUDIO}" type="audio/mpeg" length="12 MB"/>`),
    { pubDateMs: undefined, audioBytes: 12 },
  ],
  [
    "a type with parameters in capitals",
    bare(`<title>One</title><guid>g1</guid><enclosure url="${AUDIO}" type="AUDIO/MPEG" length="1000"/>`),
    { pubDateMs: undefined },
  ],
  // What it is called.
  [
    "no guid: the audio names it",
    bare(`<title>One</title><enclosure url="${AUDIO}" type="audio/mpeg"/>`),
    GUIDLESS,
  ],
  [
    "an empty guid",
    bare(`<title>One</title><guid> </guid><enclosure url="${AUDIO}" type="audio/mpeg"/>`),
    GUIDLESS,
  ],
  [
    "a guid that is a page",
    bare(`<title>One</title><guid isPermaLink="true">https://shows.example.org/one</guid>${ENCLOSURE}`),
    { guid: "https://shows.example.org/one", link: "https://shows.example.org/one", pubDateMs: undefined },
  ],
  ["HTML in a title", titled("&lt;b&gt;One&lt;/b&gt; &amp;amp; all"), { title: "One & all" }],
  ["tags in a title", titled("<i>One</i> more"), { title: "One more" }],
  ["a title in CDATA, over lines", titled("<![CDATA[ One\n  more ]]>"), { title: "One more" }],
  [
    "no title: the text begins for it",
    bare(`<guid>g1</guid><description>Only this.</description>${ENCLOSURE}`),
    { title: "Only this.", description: "Only this.", text: "Only this.", pubDateMs: undefined },
  ],
  [
    "neither title nor text",
    bare(`<guid>g1</guid>${ENCLOSURE}`),
    { title: "Untitled", pubDateMs: undefined },
  ],
  ["a script in a title", titled("One<script>alert(1)</script>"), { title: "One" }],
  // What it says.
  [
    "CDATA with HTML",
    item("<description><![CDATA[<p>Hi <a href='https://x.example/?a=1&b=2'>there</a></p>]]></description>"),
    {
      description: '<p>Hi <a href="https://x.example/?a=1&amp;b=2" rel="nofollow noopener">there</a></p>',
      text: "Hi there",
    },
  ],
  [
    "HTML escaped twice",
    item("<description>&amp;lt;p&amp;gt;Hi&amp;lt;/p&amp;gt;</description>"),
    { description: "<p>Hi</p>", text: "Hi" },
  ],
  [
    "scripts, handlers and styles",
    item(
      "<description><![CDATA[<p onclick='x()' style='x'>Hi</p><script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>you</a><svg><script>1</script></svg>]]></description>",
    ),
    { description: "<p>Hi</p>you", text: "Hi\nyou" },
  ],
  [
    "unclosed and crossed HTML",
    item("<description><![CDATA[<p><b>Hi <i>you</b> there]]></description>"),
    { description: "<p><b>Hi <i>you</i></b> there</p>", text: "Hi you there" },
  ],
  [
    "lines of plain text",
    item("<description>One\nTwo &amp; three</description>"),
    { description: "One<br>Two &amp; three", text: "One\nTwo & three" },
  ],
  [
    "the longest of several texts",
    item(
      "<description>Short</description><content:encoded>A longer text</content:encoded><itunes:summary>Mid text</itunes:summary>",
    ),
    { description: "A longer text", text: "A longer text" },
  ],
  [
    "HTML that nobody escaped",
    item("<description>Hi<br/>you <b>all</b></description>"),
    { description: "Hi<br>you <b>all</b>", text: "Hi\nyou all" },
  ],
  // Odd characters.
  ["control characters and half of a pair", titled("On\u0000e\u0007 &#xD800;"), { title: "One \ufffd" }],
  // Broken XML.
  ["an ampersand alone", titled("Salt & pepper"), { title: "Salt & pepper" }],
  ["entities of HTML", titled("Caf&eacute; &ndash; &nbsp;x"), { title: "Café – x" }],
  [
    "cut off in the middle",
    item("<itunes:season>3</itunes:season>").slice(0, -"</item></channel></rss>".length),
    { season: 3 },
  ],
  ["a closing tag too many", item("</b></b><itunes:season>3</itunes:season>"), { season: 3 }],
  ["text before the declaration", `\n\n  ${item("")}`, {}],
  ["a comment and an instruction before it", `<!-- hi --><?xml-stylesheet href="x"?>${item("")}`, {}],
  [
    "entities that multiply",
    item("")
      .replace("<rss", '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><rss')
      .replace("One", "One &b;"),
    { title: "One &b;" },
  ],
  [
    "entities of the document that are plain text",
    item("<description><![CDATA[&show;]]></description>")
      .replace("<rss", `<!DOCTYPE rss [<!ENTITY show "Bread"><!ENTITY n '&#38;co "x"'><!ENTITY lt "y">]><rss`)
      .replace("One", "One &show; &n; &lt;"),
    { title: 'One Bread &co "x" <', description: "&amp;show;", text: "&show;" },
  ],
  [
    "a file of the machine as entity",
    item("")
      .replace("<rss", '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss')
      .replace("One", "One &x;"),
    { title: "One &x;" },
  ],
  // Times.
  ["a duration in words", item("<itunes:duration>1h 2m 3s</itunes:duration>"), { audioLengthSeconds: 3723 }],
  ["a duration as ISO has it", item("<itunes:duration>PT1H</itunes:duration>"), { audioLengthSeconds: 3600 }],
  [
    "a duration with hours",
    item("<itunes:duration>01:02:03</itunes:duration>"),
    { audioLengthSeconds: 3723 },
  ],
  ["minutes beyond an hour", item("<itunes:duration>75:30</itunes:duration>"), { audioLengthSeconds: 4530 }],
  ["a duration that is none", item("<itunes:duration>long</itunes:duration>"), {}],
  ["a duration of years", item("<itunes:duration>99999999</itunes:duration>"), {}],
  ["a date that is none", item("").replace(DATE, "yesterday"), { pubDateMs: undefined }],
  // The rest.
  [
    "iTunes tags",
    item(
      "<itunes:explicit>yes</itunes:explicit><itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>Bonus</itunes:episodeType><itunes:image href='cover.jpg'/>",
    ),
    {
      isExplicit: true,
      season: 2,
      number: 7,
      type: "bonus",
      image: "https://shows.example.org/feeds/cover.jpg",
    },
  ],
  ["explicit in other words", item("<itunes:explicit>clean</itunes:explicit>"), { isExplicit: false }],
  [
    "Podcasting 2.0 tags",
    item(
      '<podcast:transcript url="t.txt" type="text/plain"/><podcast:transcript url="t.vtt" type="text/vtt"/><podcast:chapters url="c.json" type="application/json+chapters"/><podcast:person role="Guest" href="https://ida.example/">Ida Brandt</podcast:person>',
    ),
    {
      transcript: { url: "https://shows.example.org/feeds/t.vtt", type: "text/vtt" },
      chaptersUrl: "https://shows.example.org/feeds/c.json",
      persons: [{ name: "Ida Brandt", role: "guest", url: "https://ida.example/", image: "" }],
    },
  ],
  [
    "simple chapters",
    item(
      '<psc:chapters><psc:chapter start="00:01:00.5" title="Two"/><psc:chapter start="soon" title="x"/></psc:chapters>',
    ),
    { chapters: [{ startSeconds: 60.5, title: "Two", url: "", image: "" }] },
  ],
];

describe("an episode", () => {
  it(`is tried in ${EPISODES.length} ways`, () => expect(EPISODES.length).toBeGreaterThanOrEqual(60));
  it.each(EPISODES)("%s", (_what, document, differs) => {
    expect(read(document).episodes).toEqual([{ ...PLAIN, ...differs }]);
  });
  it("is one, however often the feed repeats it, and needs something to listen to", () => {
    const one = `<item><title>One</title><guid>g1</guid>${ENCLOSURE}</item>`;
    expect(read(rss(one + one)).episodes).toHaveLength(1);
    expect(read(bare("<title>A note</title>")).episodes).toEqual([]);
    expect(
      read(bare('<title>One</title><enclosure url="ftp://x/1.mp3" type="audio/mpeg"/>')).episodes,
    ).toEqual([]);
  });
});
