/** XML as feeds really have it, read into a tree: unclosed and crossed tags are forgiven. */
import { packageOnUse } from "#kernel/packages";
import { withDeclaredEntities } from "./declared-entities.ts";

export const markupParser = packageOnUse<typeof import("htmlparser2")>("htmlparser2");

export type XmlNode = {
  /** With the usual prefix of its namespace, whatever the feed calls it; none for what belongs to the feed's own format. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlNode | string)[];
  /** What addresses inside are relative to, by `xml:base` of the element and those around it; empty where nothing is said. */
  readonly base: string;
};

const DEPTH_MAX = 100;
const NODES_MAX = 2_000_000;

/** By what the address of a namespace holds: feeds spell them with and without `www`, slash and capitals. */
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

type Prefixes = ReadonlyMap<string, string>;
/** With what an element declares; what it declares counts inside it alone. */
function prefixesWith(outer: Prefixes, attributes: Readonly<Record<string, string>>): Prefixes {
  let inner: Map<string, string> | undefined;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    const prefix = prefixOfNamespace(value);
    if (prefix === undefined) continue;
    inner ??= new Map(outer);
    inner.set(name === "xmlns" ? "" : name.slice(6).toLowerCase(), prefix);
  }
  return inner ?? outer;
}
/** Addresses without a host stay as they are, until it is known where the document is from. */
function joinedBase(outer: string, own: string | undefined): string {
  if (own === undefined || own.trim() === "") return outer;
  const address = own.trim();
  return URL.canParse(address) || !URL.canParse(outer) || !URL.canParse(address, outer)
    ? address
    : new URL(address, outer).href;
}

class TreeBuilder {
  readonly root: XmlNode = { name: "", attributes: {}, children: [], base: "" };
  readonly #stack: XmlNode[] = [this.root];
  /** What prefixes stand for, of each element that is open. */
  readonly #prefixes: Prefixes[] = [new Map()];
  #nodes = 0;
  #home: string | undefined;

  onopentag(rawName: string, attributes: Record<string, string>): void {
    this.#nodes += 1;
    if (this.#nodes > NODES_MAX || this.#stack.length > DEPTH_MAX)
      throw new TooComplexError("The document is nested too deeply or has too many parts.");
    const prefixes = prefixesWith(this.#prefixes.at(-1) ?? new Map(), attributes);
    const parent = this.#stack.at(-1) ?? this.root;
    const base = joinedBase(parent.base, attributes["xml:base"]);
    const node: XmlNode = { name: this.#nameOf(rawName, prefixes), attributes, children: [], base };
    parent.children.push(node);
    this.#stack.push(node);
    this.#prefixes.push(prefixes);
  }
  #nameOf(rawName: string, prefixes: Prefixes): string {
    const lower = rawName.toLowerCase();
    const colon = lower.indexOf(":");
    const given = colon < 0 ? "" : lower.slice(0, colon);
    const local = lower.slice(colon + 1);
    const prefix = prefixes.get(given) ?? given;
    // Whatever the root belongs to needs no prefix: Atom is the home of a feed that is Atom.
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
    this.#prefixes.pop();
  }
}

/** The first element; undefined where there is none. */
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

/** Of the element itself; what is inside others is left out. */
export function ownTextOf(node: XmlNode | undefined): string {
  let text = "";
  for (const child of node?.children ?? []) if (typeof child === "string") text += child;
  return text.trim();
}
export const textOfChild = (node: XmlNode | undefined, name: string): string =>
  ownTextOf(childOf(node, name));

/** The first of several names that says something. */
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

/** Content that came as base64: Atom 0.3 says so, and Atom 1.0 by a type that is no text. */
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

/** What is inside, as HTML: text where that is all, and tags that somebody forgot to escape where there are some. */
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
