/** Tolerant XML parser that builds a tree. It accepts unclosed and crossed tags. */
import { packageOnUse } from "#kernel/packages";
import { ADDRESS_MAX } from "./addresses.ts";
import { withDeclaredEntities } from "./declared-entities.ts";

export const markupParser = packageOnUse<typeof import("htmlparser2")>("htmlparser2");

export type XmlNode = {
  /**
   * Has the usual prefix of its namespace, whatever prefix the feed uses. The feed's own format has no
   * prefix.
   */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlNode | string)[];
  /** Base URL for links, from `xml:base` of this element and its ancestors; empty if there is none. */
  readonly base: string;
};

const DEPTH_MAX = 100;
const NODES_MAX = 2_000_000;

/** Matched as a part of the namespace URL, because feeds vary `www`, trailing slash and case. */
const NAMESPACES: readonly (readonly [part: string, prefix: string])[] = [
  ["itunes.com/dtds/podcast", "itunes"],
  ["purl.org/rss/1.0/modules/content", "content"],
  ["purl.org/rss/1.0", ""],
  ["my.netscape.com/rdf/simple/0.9", ""],
  ["backend.userland.com/rss", ""],
  ["w3.org/2005/atom", "atom"],
  ["purl.org/atom/ns", "atom"],
  ["podcastindex.org/namespace", "podcast"],
  ["podcast-namespace", "podcast"],
  ["purl.org/dc/elements", "dc"],
  ["purl.org/dc/terms", "dcterms"],
  ["search.yahoo.com/mrss", "media"],
  ["w3.org/1999/02/22-rdf-syntax", "rdf"],
  ["google.com/schemas/play-podcasts", "googleplay"],
  ["podlove.org/simple-chapters", "psc"],
  ["rssnamespace.org/feedburner", "feedburner"],
  ["w3.org/1999/xhtml", "xhtml"],
  ["w3.org/2000/svg", "svg"],
  ["w3.org/1998/math", "mathml"],
];
const prefixOfNamespace = (address: string): string | undefined => {
  const wanted = address.toLowerCase();
  return NAMESPACES.find(([part]) => wanted.includes(part))?.[1];
};

export class TooComplexError extends Error {}

/**
 * Prefixes that an element declares are valid only inside it. Only its own are stored with it: a copy of all outer
 * prefixes for each element would take quadratic time.
 */
class Prefixes {
  readonly #namespaces = new Map<string, string[]>();
  readonly #declared: (readonly string[])[] = [];

  open(attributes: Readonly<Record<string, string>>): void {
    const declared: string[] = [];
    for (const name in attributes) {
      if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
      const namespace = prefixOfNamespace(attributes[name] as string);
      if (namespace === undefined) continue;
      const prefix = name === "xmlns" ? "" : name.slice(6).toLowerCase();
      declared.push(prefix);
      const outer = this.#namespaces.get(prefix);
      if (outer) outer.push(namespace);
      else this.#namespaces.set(prefix, [namespace]);
    }
    this.#declared.push(declared);
  }
  close(): void {
    for (const prefix of this.#declared.pop() ?? []) this.#namespaces.get(prefix)?.pop();
  }
  find(prefix: string): string | undefined {
    return this.#namespaces.get(prefix)?.at(-1);
  }
}
/** A relative base stays relative until the URL of the document is known. */
function joinedBase(outer: string, own: string | undefined): string {
  // A long base of many elements would take quadratic time, and no link with it is accepted.
  if (own === undefined || own.length > ADDRESS_MAX) return outer;
  const address = own.trim();
  if (address === "") return outer;
  if (URL.canParse(address) || !URL.canParse(outer) || !URL.canParse(address, outer)) return address;
  const { href } = new URL(address, outer);
  return href.length > ADDRESS_MAX ? outer : href;
}

class TreeBuilder {
  readonly root: XmlNode = { name: "", attributes: {}, children: [], base: "" };
  readonly #stack: XmlNode[] = [this.root];
  readonly #prefixes = new Prefixes();
  #nodes = 0;
  #home: string | undefined;

  onopentag(rawName: string, attributes: Record<string, string>): void {
    this.#nodes += 1;
    if (this.#nodes > NODES_MAX || this.#stack.length > DEPTH_MAX)
      throw new TooComplexError("The document is nested too deeply or has too many parts.");
    this.#prefixes.open(attributes);
    const parent = this.#stack.at(-1) ?? this.root;
    const base = joinedBase(parent.base, attributes["xml:base"]);
    const node: XmlNode = { name: this.#nameOf(rawName), attributes, children: [], base };
    parent.children.push(node);
    this.#stack.push(node);
  }
  #nameOf(rawName: string): string {
    const lower = rawName.toLowerCase();
    const colon = lower.indexOf(":");
    const given = colon < 0 ? "" : lower.slice(0, colon);
    const local = lower.slice(colon + 1);
    const prefix = this.#prefixes.find(given) ?? given;
    // The root's namespace needs no prefix, which makes Atom the default of an Atom feed.
    this.#home ??= local === "feed" ? "atom" : "";
    return prefix === this.#home || prefix === "" ? local : `${prefix}:${local}`;
  }
  ontext(text: string): void {
    const children = this.#stack.at(-1)?.children ?? [];
    const last = children.at(-1);
    if (typeof last === "string") children[children.length - 1] = last + text;
    else children.push(text);
  }
  onclosetag(): void {
    if (this.#stack.length <= 1) return;
    this.#stack.pop();
    this.#prefixes.close();
  }
}

/** The root element; undefined if there is none. */
export function readXml(text: string): XmlNode | undefined {
  const builder = new TreeBuilder();
  const { Parser } = markupParser();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => builder.onopentag(name, attributes),
      ontext: (part) => builder.ontext(part),
      onclosetag: () => builder.onclosetag(),
    },
    { xmlMode: true, decodeEntities: true, recognizeSelfClosing: true },
  );
  parser.end(withDeclaredEntities(text));
  return builder.root.children.find((child): child is XmlNode => typeof child !== "string");
}

export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  const found: XmlNode[] = [];
  for (const child of node?.children ?? [])
    if (typeof child !== "string" && child.name === name) found.push(child);
  return found;
}
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  for (const child of node?.children ?? [])
    if (typeof child !== "string" && child.name === name) return child;
  return undefined;
}

/** Text of the element without its descendants. */
export function ownTextOf(node: XmlNode | undefined): string {
  let text = "";
  for (const child of node?.children ?? []) if (typeof child === "string") text += child;
  return text.trim();
}
export const textOfChild = (node: XmlNode | undefined, name: string): string =>
  ownTextOf(childOf(node, name));

/** The first child with text, by order of the names. */
export function firstTextOf(node: XmlNode | undefined, names: readonly string[]): string {
  for (const name of names)
    for (const child of childrenOf(node, name)) {
      const text = ownTextOf(child);
      if (text !== "") return text;
    }
  return "";
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Base64 content: marked by `mode` or `encoding` in Atom 0.3, by a binary media type in Atom 1.0. */
function decodedOf(node: XmlNode): string | undefined {
  const { mode = "", type = "" } = node.attributes;
  const isBase64 =
    /^base64$/i.test(mode) ||
    /^application\/octet-stream$/i.test(type) ||
    /^base64$/i.test(node.attributes.encoding ?? "");
  const text = ownTextOf(node).replace(/\s+/g, "");
  if (!isBase64 || text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, "base64").toString("utf8");
}

/** Inner HTML: the text, or serialized child elements if the feed did not escape its HTML. */
export function markupOf(node: XmlNode | undefined): string {
  if (!node) return "";
  const decoded = decodedOf(node);
  if (decoded !== undefined) return decoded;
  if (node.children.every((child) => typeof child === "string")) return ownTextOf(node);
  return insideOf(node).trim();
}
const insideOf = (node: XmlNode): string =>
  node.children.map((child) => (typeof child === "string" ? escaped(child) : tagOf(child))).join("");
function tagOf(node: XmlNode): string {
  const name = node.name.slice(node.name.indexOf(":") + 1);
  if (name === "br") return "<br>";
  const href = node.attributes.href === undefined ? "" : ` href="${escaped(node.attributes.href)}"`;
  return `<${name}${href}>${insideOf(node)}</${name}>`;
}
