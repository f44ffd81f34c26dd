/** Channels: everything that is read of a feed beside its episodes, and what is refused. */
import { describe, expect, it } from "vitest";
import { ENCLOSURE, item, read, rss } from "../../../../../tests/support/feed-documents.ts";
import { FeedProblem } from "./feed.ts";

const NAMESPACE = "http://www.itunes.com/dtds/podcast-1.0.dtd";

describe("a channel", () => {
  it("is read with everything it says", () => {
    const { episodes, ...feed } = read(
      rss(
        `<link>https://shows.example.org/</link><atom:link rel="self" href="https://shows.example.org/self.xml"/><language>en-GB</language>
<description><![CDATA[<p>On x.com: https://twitter.com/showx and https://podcasts.apple.com/gb/podcast/show/id123456 and https://open.spotify.com/show/abc</p>]]></description>
<itunes:author>Ann &amp; Ben</itunes:author><itunes:owner><itunes:name>Ann</itunes:name><itunes:email>ann@example.org</itunes:email></itunes:owner>
<itunes:category text="Arts"><itunes:category text="Food"/></itunes:category><category>Comedy/Improv</category><itunes:type>Serial</itunes:type><itunes:explicit>no</itunes:explicit>
<itunes:image href="/c.png"/><itunes:complete>Yes</itunes:complete><itunes:new-feed-url>https://new.example.org/f.xml</itunes:new-feed-url>
<podcast:guid>917393e3</podcast:guid><podcast:medium>podcast</podcast:medium><podcast:locked owner="ann@example.org">yes</podcast:locked><podcast:funding url="https://give.example/">Give</podcast:funding>
<podcast:value type="lightning" method="keysend"><podcast:valueRecipient name="Ann" address="03ae" split="90"/></podcast:value>
<podcast:podroll><podcast:remoteItem feedGuid="g-2" feedUrl="https://other.example/f.xml"/></podcast:podroll><podcast:person>Ann</podcast:person><podcast:location>Bath</podcast:location>`,
      ),
    );
    expect(episodes).toEqual([]);
    expect(feed).toEqual({
      dialect: "rss2",
      title: "Show",
      description:
        "<p>On x.com: https://twitter.com/showx and https://podcasts.apple.com/gb/podcast/show/id123456 and https://open.spotify.com/show/abc</p>",
      text: "On x.com: https://twitter.com/showx and https://podcasts.apple.com/gb/podcast/show/id123456 and https://open.spotify.com/show/abc",
      publisher: "Ann & Ben",
      email: "ann@example.org",
      website: "https://shows.example.org/",
      image: "https://shows.example.org/c.png",
      languageTag: "en-GB",
      categories: ["Arts", "Food", "Comedy", "Improv"],
      type: "serial",
      isExplicit: false,
      isBlocked: false,
      isComplete: true,
      newAddress: "https://new.example.org/f.xml",
      selfAddress: "https://shows.example.org/self.xml",
      podcasting: {
        guid: "917393e3",
        medium: "podcast",
        locked: { isLocked: true, owner: "ann@example.org" },
        funding: [{ url: "https://give.example/", text: "Give" }],
        value: {
          type: "lightning",
          method: "keysend",
          recipients: [{ name: "Ann", address: "03ae", split: 90 }],
        },
        podroll: [{ guid: "g-2", url: "https://other.example/f.xml" }],
        persons: [{ name: "Ann", role: "host", url: "", image: "" }],
        location: "Bath",
      },
      storeOneId: 123456,
      storeTwoId: "abc",
      extra: {
        twitter_handle: "showx",
        spotify_url: "https://open.spotify.com/show/abc",
        url1: "https://give.example/",
      },
    });
  });
  it.each([
    ["", "The document is empty."],
    ["just text", "The document is not a feed of any kind that is known."],
    ["<html><body>Hi</body></html>", "The address leads to a web page, not to a feed."],
    [`<rss><channel>${ENCLOSURE}</channel></rss>`, "The feed has no title."],
    [
      `<rss><channel><title>x</title>${"<a>".repeat(200)}</channel></rss>`,
      "The document is nested too deeply or has too many parts.",
    ],
    [
      `<rss><channel><title>x</title>${"<item/>".repeat(20_001)}</channel></rss>`,
      "The feed has more than 20000 episodes.",
    ],
  ])("is refused for what it is: %#", (document, problem) => {
    expect(() => read(document)).toThrow(new FeedProblem(problem));
  });
  it.each([
    ["<managingEditor>ann@example.org (Ann Example)</managingEditor>", "Ann Example"],
    ["<author>Ann Example (ann@example.org)</author>", "Ann Example"],
    ["<managingEditor>ann@example.org</managingEditor><copyright>Bread Ltd</copyright>", "Bread Ltd"],
  ])("has the name of its publisher without the address: %s", (inside, publisher) => {
    expect(read(rss(inside)).publisher).toBe(publisher);
  });
  it("takes FeedBurner's notice as its description if there is no other", () => {
    const notice = `<f:browserFriendly xmlns:f="http://rssnamespace.org/feedburner/ext/1.0">A long notice for browsers</f:browserFriendly>`;
    expect(read(rss(notice)).text).toBe("A long notice for browsers");
    expect(read(rss(`${notice}<description>Bread</description>`)).text).toBe("Bread");
  });
  it("puts in at most 100,000 characters for entities of the document", () => {
    const declaration = `<!DOCTYPE rss [<!ENTITY a "${"a".repeat(1000)}">]>`;
    const many = `<category>${"&a;".repeat(50)}</category>`.repeat(2);
    const { text } = read(rss(`${many}<description>&a;</description>`, declaration));
    expect(text).toBe("&a;");
    expect(read(rss("<description>&a;</description>", declaration)).text).toHaveLength(1000);
  });
  it("knows the prefixes of outer elements after inner ones end", () => {
    const { publisher, categories } = read(
      `<rss xmlns:p="${NAMESPACE}"><channel><title>Show</title><x xmlns:p="http://www.w3.org/2005/Atom"/>` +
        "<p:author>Ann</p:author><q:category text='Arts'/></channel></rss>",
    );
    expect([publisher, categories]).toEqual(["Ann", []]);
  });
  it("is read in no time however it is made", () => {
    const prefixes = Array.from({ length: 20_000 }, (_, at) => `xmlns:p${at}="${NAMESPACE}"`).join(" ");
    const hostile = [
      rss(`<description>${"<".repeat(200_000)}</description>`),
      rss(`<description>${"&".repeat(200_000)}</description>`),
      rss(`<itunes:author>${"a@".repeat(100_000)}</itunes:author>`),
      rss(`<description><![CDATA[${"<b>".repeat(100_000)}]]></description>`),
      rss(`<description>${"&lt;!--".repeat(100_000)}&gt;</description>`),
      rss(`<title>${"&lt;!A ".repeat(100_000)}</title>`),
      rss(`<description>${"<![CDATA[&a;".repeat(100_000)}</description>`, '<!DOCTYPE rss [<!ENTITY a "b">]>'),
      rss("", `<!DOCTYPE rss [${'<!ENTITY a "&#1;'.repeat(100_000)}`),
      item(`<pubDate>${"1 ".repeat(100_000)}</pubDate>`),
      rss(`<a ${prefixes}>${`<b xmlns="${NAMESPACE}"/>`.repeat(20_000)}</a>`),
      rss(`<a xml:base="https://e.org/${"a/".repeat(500_000)}">${'<b xml:base="x/"/>'.repeat(20_000)}</a>`),
      rss(`<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}=""`).join(" ")}/>`),
    ];
    const begun = process.cpuUsage();
    for (const document of hostile) expect(read(document).title).toBe("Show");
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(10);
  });
});
