/** Detects the format of a file: a feed, OPML, or a list of URLs. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { FailedError } from "#kernel/manifest";
import { webAddress } from "../domain/feeds/addresses.ts";
import { decodeText } from "../domain/feeds/encoding.ts";
import { childrenOf, readXml, type XmlNode } from "../domain/feeds/xml-tree.ts";

export type Source =
  | { readonly kind: "feed"; readonly name: string; readonly bytes: Buffer }
  | { readonly kind: "addresses"; readonly name: string; readonly addresses: readonly string[] }
  | { readonly kind: "other"; readonly name: string };

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const FEED = /<(?:[\w-]{1,20}:)?(?:rss|feed|rdf)[\s>]/i;
const LOOKED_AT_CHARACTERS = 4_096;

/** Outlines can be nested. */
function addressesIn(node: XmlNode): string[] {
  const own = webAddress(node.attributes.xmlUrl ?? node.attributes.xmlurl ?? node.attributes.url ?? "");
  return [...(own === "" ? [] : [own]), ...[...childrenOf(node, "outline")].flatMap(addressesIn)];
}
function opmlAddresses(text: string): string[] {
  const root = readXml(text);
  const bodies = root ? [...childrenOf(root, "body")] : [];
  return [...new Set(bodies.flatMap(addressesIn))];
}
const lineAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => webAddress(line.split(/[\s,;]/).find((word) => /^https?:/i.test(word)) ?? ""))
      .filter((address) => address !== ""),
  ),
];

export function sourceOf(name: string, bytes: Buffer): Source {
  const text = decodeText(bytes);
  const beginning = text.slice(0, LOOKED_AT_CHARACTERS);
  if (/<opml[\s>]/i.test(beginning)) return { kind: "addresses", name, addresses: opmlAddresses(text) };
  if (FEED.test(beginning)) return { kind: "feed", name, bytes };
  const addresses = lineAddresses(text);
  return addresses.length > 0 ? { kind: "addresses", name, addresses } : { kind: "other", name };
}

export async function readSource(path: string, name: string): Promise<Source> {
  const { size } = await stat(path);
  return size > FILE_BYTES_MAX ? { kind: "other", name } : sourceOf(name, await readFile(path));
}

export type FoundFile = { readonly path: string; readonly name: string };
/** Sorted by path. The name is the path relative to the folder. */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  const root = resolve(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, name: relative(root, path).replaceAll("\\", "/") }));
}

export async function* sourcesAt(place: string): AsyncGenerator<Source> {
  const path = resolve(place);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new FailedError(`there is nothing at ${place}`);
  const files = found.isDirectory() ? await filesBelow(path) : [{ path, name: basename(path) }];
  for (const file of files) yield readSource(file.path, file.name);
}
