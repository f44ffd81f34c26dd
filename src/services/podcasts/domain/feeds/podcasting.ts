/** Tags of the Podcasting 2.0 namespace. */
import { webAddress } from "./addresses.ts";
import type { Person, Podcasting, TranscriptReference } from "./feed.ts";
import { plainLine } from "./html.ts";
import { childOf, childrenOf, ownTextOf, textOfChild, type XmlNode } from "./xml-tree.ts";

const EACH_MAX = 50;

export function personsOf(node: XmlNode, base: string): Person[] {
  const persons: Person[] = [];
  for (const person of childrenOf(node, "podcast:person")) {
    const name = plainLine(ownTextOf(person), 128);
    if (name === "" || persons.length >= EACH_MAX) continue;
    const { role = "host", href = "", img = "" } = person.attributes;
    persons.push({
      name,
      role: plainLine(role, 128).toLowerCase(),
      url: webAddress(href, base),
      image: webAddress(img, base),
    });
  }
  return persons;
}

/** Formats with times first, then the formats that are easiest to parse. */
const PREFERRED: readonly RegExp[] = [/vtt/i, /subrip|srt/i, /json/i, /plain/i, /html/i];
export function transcriptOf(item: XmlNode, base: string): TranscriptReference | undefined {
  const all = [...childrenOf(item, "podcast:transcript")]
    .map(({ attributes: { url = "", type = "" } }) => ({
      url: webAddress(url, base),
      type: plainLine(type, 100),
    }))
    .filter(({ url }) => url !== "");
  const rankOf = ({ url, type }: TranscriptReference): number => {
    const at = PREFERRED.findIndex((pattern) => pattern.test(type === "" ? url : type));
    return at < 0 ? PREFERRED.length : at;
  };
  return all.sort((one, other) => rankOf(one) - rankOf(other))[0];
}

function valueTagOf(channel: XmlNode): Podcasting["value"] {
  const node = childOf(channel, "podcast:value");
  if (!node) return undefined;
  const recipients = [...childrenOf(node, "podcast:valuerecipient")]
    .slice(0, EACH_MAX)
    .map(({ attributes }) => ({
      name: plainLine(attributes.name ?? "", 128),
      address: plainLine(attributes.address ?? "", 300),
      split: Number(/^\d{1,9}/.exec(attributes.split ?? "")?.[0] ?? 0),
    }));
  return {
    type: plainLine(node.attributes.type ?? "", 60),
    method: plainLine(node.attributes.method ?? "", 60),
    recipients,
  };
}

export function podcastingOf(channel: XmlNode, base: string): Podcasting {
  const guid = textOfChild(channel, "podcast:guid").slice(0, 200);
  const medium = textOfChild(channel, "podcast:medium").toLowerCase().slice(0, 40);
  const locked = childOf(channel, "podcast:locked");
  const funding = [...childrenOf(channel, "podcast:funding")]
    .map((node) => ({
      url: webAddress(node.attributes.url ?? "", base),
      text: plainLine(ownTextOf(node), 200),
    }))
    .filter(({ url }) => url !== "")
    .slice(0, EACH_MAX);
  const podroll = [...childrenOf(childOf(channel, "podcast:podroll"), "podcast:remoteitem")]
    .map(({ attributes: { feedGuid = "", feedUrl = "", feedguid = feedGuid, feedurl = feedUrl } }) => ({
      guid: feedguid.slice(0, 200),
      url: webAddress(feedurl),
    }))
    .slice(0, EACH_MAX);
  const persons = personsOf(channel, base);
  const value = valueTagOf(channel);
  const location = plainLine(textOfChild(channel, "podcast:location"), 200);
  return {
    ...(guid !== "" && { guid }),
    ...(medium !== "" && { medium }),
    ...(locked && {
      locked: {
        isLocked: /^yes$/i.test(ownTextOf(locked)),
        owner: plainLine(locked.attributes.owner ?? "", 200),
      },
    }),
    ...(funding.length > 0 && { funding }),
    ...(value && { value }),
    ...(podroll.length > 0 && { podroll }),
    ...(persons.length > 0 && { persons }),
    ...(location !== "" && { location }),
  };
}
