/** Reads the members of a caller's definition, collects what is wrong, and takes the secrets out. */
import { findWord, isGiven, isObject, type Problem } from "./problems.ts";

/** A secret belongs to what it is presented to: `binding` says to whom, so that it can't be sent elsewhere unseen. */
export type KeptSecret = {
  readonly binding: string;
  readonly values: Readonly<Record<string, string>>;
};
/** By the place of what they authenticate, such as `action.request.authentication`. */
export type KeptSecrets = Readonly<Record<string, KeptSecret>>;

export type TextRule = {
  readonly optional?: boolean;
  readonly lengthMax?: number;
};
const LENGTH_MAX_DEFAULT = 2_048;
const MAP_SIZE_MAX_DEFAULT = 50;

type Members = Readonly<Record<string, unknown>>;

export class DefinitionReader {
  readonly problems: Problem[] = [];
  readonly secrets: Record<string, KeptSecret> = {};
  readonly #stored: KeptSecrets;

  constructor(stored: KeptSecrets = {}) {
    this.#stored = stored;
  }
  refuse(path: string, says: string): undefined {
    this.problems.push({ path, message: `${path} ${says}.` });
    return undefined;
  }
  /** Members of an object that must be there. */
  members(value: unknown, path: string): Members | undefined {
    if (isObject(value)) return value;
    return this.refuse(path, isGiven(value) ? "must be an object" : "is required and must be an object");
  }
  /** Undefined when left out as well as when wrong. */
  text(from: Members, root: string, member: string, rule: TextRule = {}): string | undefined {
    const { optional = false, lengthMax = LENGTH_MAX_DEFAULT } = rule;
    const value = from[member];
    const path = `${root}.${member}`;
    if (!isGiven(value) || value === "") return optional ? undefined : this.refuse(path, "is required");
    if (typeof value !== "string") return this.refuse(path, "must be a text");
    if (value.length > lengthMax) return this.refuse(path, `may have at most ${lengthMax} characters`);
    return value;
  }
  word<Word extends string>(
    from: Members,
    root: string,
    member: string,
    words: readonly Word[],
    fallback?: Word,
  ): Word | undefined {
    const value = from[member];
    const path = `${root}.${member}`;
    if (!isGiven(value) && fallback !== undefined) return fallback;
    const found = findWord(words, value);
    if (found !== undefined) return found;
    const reason = isGiven(value) ? "must be one of" : "is required and must be one of";
    return this.refuse(path, `${reason} ${words.join(", ")}`);
  }
  /** Texts by name. Numbers and booleans are written out, because callers send them unquoted. */
  textMap(
    from: Members,
    root: string,
    member: string,
    sizeMax = MAP_SIZE_MAX_DEFAULT,
  ): Readonly<Record<string, string>> | undefined {
    const value = from[member];
    const path = `${root}.${member}`;
    if (!isGiven(value)) return undefined;
    if (!isObject(value)) return this.refuse(path, "must be an object of texts");
    const entries = Object.entries(value).filter(([, text]) => isGiven(text));
    if (entries.length > sizeMax) return this.refuse(path, `may have at most ${sizeMax} members`);
    const plain = entries.every(([, text]) => ["string", "number", "boolean"].includes(typeof text));
    if (!plain) return this.refuse(path, "must be an object of texts");
    return entries.length === 0
      ? undefined
      : Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
  }
  /**
   * Takes the secret members given. Secrets are never shown, so a definition that was read and is sent back lacks them:
   * what is stored for the same binding is kept then. Answers whether there is a secret in the end.
   */
  secret(from: Members, root: string, members: readonly string[], binding: string): boolean {
    const values = Object.fromEntries(
      members
        .map((member) => [member, this.text(from, root, member, secretRule)] as const)
        .filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    );
    const stored = this.#stored[root];
    const kept =
      Object.keys(values).length > 0 ? { binding, values } : stored?.binding === binding ? stored : undefined;
    if (kept !== undefined) this.secrets[root] = kept;
    return kept !== undefined;
  }
}

/** A certificate file with its key is the longest secret; the whole job has its own limit. */
const secretRule: TextRule = { optional: true, lengthMax: 16_384 };
