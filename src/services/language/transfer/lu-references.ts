/** `.lu` files that refer to others: `[all](./other.lu)` and `- [some](./other.lu#Intent)`, made into one text. */
import { errors } from "../errors.ts";
import { isPattern } from "./lu-inline.ts";

export type LuFile = { readonly path: string; readonly text: string };
/**
 * Reads the file at a relative path, or all files that `folder/*` or `folder/**` match. Empty if there is
 * none.
 */
export type ReadFiles = (target: string, from: string) => Promise<readonly LuFile[]>;

const WHOLE = /^\s*\[[^\]]*\]\(([^)#]+)\)\s*$/;
const PART = /^\s*[-*+]\s*\[[^\]]*\]\(([^)#]+)#([^)]*)\)\s*$/;
const FILES_MAX = 200;
const TAKEN_LENGTH_MAX = 32 * 1024 * 1024;

const REFERENCE = /^\[[^\]]*\](?:\([^)]*\)|:\s*\S+)$/;
/** Whether a line, or the item that it is, refers to another file. */
export const isReference = (item: string): boolean => REFERENCE.test(item.trim());

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

const TARGET = /^\s*\[([^\]]+)\]:\s*(\S+)\s*$/;
const BY_NAME = /^(\s*[-*+]\s*\[[^\]]*\])\[([^\]]+)\]\s*$/;
/**
 * `- [some][1]` becomes `- [some](other.lu#Intent)` if a line `[1]: other.lu#Intent` exists. That line
 * becomes empty. With targets left out, it becomes `- [some]()`: many lines may name one long target.
 */
export function withTargets(
  lines: readonly string[],
  { isLeftOut }: { readonly isLeftOut: boolean },
): string[] {
  const targets = new Map(
    lines.flatMap((line) => {
      const [, name, target] = TARGET.exec(line) ?? [];
      return name === undefined || target === undefined ? [] : [[name, target] as const];
    }),
  );
  if (targets.size === 0) return [...lines];
  return lines.map((line) => {
    if (TARGET.test(line)) return "";
    const [, item, name = ""] = BY_NAME.exec(line) ?? [];
    const target = isLeftOut ? "" : targets.get(name);
    return item !== undefined && targets.has(name) ? `${item}(${target})` : line;
  });
}

class Joining {
  readonly #read: ReadFiles;
  readonly #seen = new Set<string>();
  #taken = 0;
  constructor(read: ReadFiles) {
    this.#read = read;
  }
  /** The text of a file with its references included; empty if it was read before. */
  async whole({ path, text }: LuFile): Promise<string> {
    if (this.#seen.has(path)) return "";
    if (this.#seen.size >= FILES_MAX)
      throw errors.badArgument(`More than ${FILES_MAX} files refer to each other.`);
    this.#seen.add(path);
    const own: string[] = [];
    const others: string[] = [];
    for (const line of withTargets(linesOf(text), { isLeftOut: false })) {
      const reference = findReference(line);
      if (!reference) own.push(line);
      // Questions of another service are left out.
      else if (reference.fragment !== "?")
        for (const file of await this.#files(path, reference.target))
          if (reference.fragment === undefined) others.push(await this.whole(file));
          else own.push(this.#items(file.text, wantedOf(reference.fragment)));
    }
    return [own.join("\n"), ...others].join("\n");
  }
  /** The same items count each time that a file refers to them. */
  #items(text: string, wanted: Wanted): string {
    const items = itemsOf(text, wanted).join("\n");
    this.#taken += items.length;
    if (this.#taken > TAKEN_LENGTH_MAX)
      throw errors.badArgument(`References take more than ${TAKEN_LENGTH_MAX} characters from other files.`);
    return items;
  }
  async #files(from: string, target: string): Promise<readonly LuFile[]> {
    const found = await this.#read(target, from);
    if (found.length === 0) throw errors.badArgument(`There is no file ${target}, which ${from} refers to.`);
    return found;
  }
}

/** Joins the files and their references into one text. Files that refer to each other are read once. */
export async function joinedLu(files: readonly LuFile[], read: ReadFiles): Promise<string> {
  const joining = new Joining(read);
  const texts: string[] = [];
  for (const file of files) texts.push(await joining.whole(file));
  return texts.join("\n");
}
