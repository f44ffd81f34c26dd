/** `.lu` files that refer to others: `[all](./other.lu)` and `- [some](./other.lu#Intent)`, made into one text. */
import { errors } from "../errors.ts";
import { isPattern } from "./lu-inline.ts";

/** Reads the file at a path relative to another; undefined where there is none. */
export type ReadFile = (target: string, from: string) => Promise<{ path: string; text: string } | undefined>;

const WHOLE = /^\s*\[[^\]]*\]\(([^)#]+)\)\s*$/;
const PART = /^\s*[-*+]\s*\[[^\]]*\]\(([^)#]+)#([^)]*)\)\s*$/;
const FILES_MAX = 200;

type Wanted = {
  readonly intent: string | undefined;
  readonly patterns: boolean;
  readonly utterances: boolean;
};
function wantedOf(fragment: string): Wanted {
  const [, intent = "", kind = ""] = /^([^*]*)(?:\*(\w+)\*)?$/.exec(fragment.trim()) ?? [];
  return {
    intent: intent.trim() === "" ? undefined : intent.trim().toLowerCase(),
    patterns: kind.toLowerCase() !== "utterances",
    utterances: kind.toLowerCase() !== "patterns",
  };
}
function itemsOf(text: string, { intent, patterns, utterances }: Wanted): string[] {
  let isWanted = false;
  return text.split(/\r?\n/).filter((line) => {
    if (/^\s*#/.test(line)) {
      const name = line
        .replace(/^\s*#+\s*/, "")
        .trim()
        .toLowerCase();
      isWanted = !name.startsWith("?") && (intent === undefined || name === intent);
      return false;
    }
    if (/^\s*[@$]/.test(line)) isWanted = false;
    const [, item] = /^\s*[-*+]\s?(.*)$/.exec(line) ?? [];
    return isWanted && item !== undefined && (isPattern(item) ? patterns : utterances);
  });
}

type Reference = { readonly target: string; readonly fragment: string | undefined };
function findReference(line: string): Reference | undefined {
  const [, whole] = WHOLE.exec(line) ?? [];
  if (whole !== undefined) return { target: whole.trim(), fragment: undefined };
  const [, part, fragment = ""] = PART.exec(line) ?? [];
  return part === undefined ? undefined : { target: part.trim(), fragment };
}
const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, "").split(/\r?\n/);

class Joining {
  readonly #read: ReadFile;
  readonly #seen: Set<string>;
  constructor(path: string, read: ReadFile) {
    this.#seen = new Set([path]);
    this.#read = read;
  }
  async join(from: string, text: string): Promise<string> {
    const own: string[] = [];
    const others: string[] = [];
    for (const line of linesOf(text)) {
      const reference = findReference(line);
      if (!reference) own.push(line);
      else if (reference.fragment === undefined) others.push(await this.#whole(from, reference.target));
      // Questions of another service are left out.
      else if (reference.fragment !== "?")
        own.push(...itemsOf((await this.#file(from, reference.target)).text, wantedOf(reference.fragment)));
    }
    return [own.join("\n"), ...others].join("\n");
  }
  async #file(from: string, target: string): Promise<{ path: string; text: string }> {
    const found = await this.#read(target, from);
    if (!found) throw errors.badArgument(`There is no file ${target}, which ${from} refers to.`);
    return found;
  }
  async #whole(from: string, target: string): Promise<string> {
    const { path, text } = await this.#file(from, target);
    if (this.#seen.has(path)) return "";
    if (this.#seen.size >= FILES_MAX)
      throw errors.badArgument(`More than ${FILES_MAX} files refer to each other.`);
    this.#seen.add(path);
    return this.join(path, text);
  }
}

/** The text with what it refers to in it; files that refer to each other are read once. */
export const withReferences = (path: string, text: string, read: ReadFile): Promise<string> =>
  new Joining(path, read).join(path, text);
