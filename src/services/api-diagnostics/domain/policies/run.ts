/** State of one call that policies read and change. */

export type Value = string | number | boolean | null;
export type RawHeaders = readonly string[];
export type ExistsAction = "override" | "skip" | "append" | "delete";
export type Edit = {
  readonly name: string;
  readonly action: ExistsAction;
  readonly values: readonly string[];
};

/**
 * Ordered fields with case-insensitive names. The edits are recorded, so that they can be applied to another
 * list.
 */
export class Fields {
  #pairs: (readonly [string, string])[];
  readonly edits: Edit[] = [];
  constructor(pairs: Iterable<readonly [string, string]>) {
    this.#pairs = [...pairs];
  }
  static ofRaw(raw: RawHeaders): Fields {
    return new Fields(raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : [])));
  }
  values(name: string): readonly string[] {
    const lower = name.toLowerCase();
    return this.#pairs.flatMap(([one, value]) => (one.toLowerCase() === lower ? [value] : []));
  }
  find(name: string): string | undefined {
    const values = this.values(name);
    return values.length === 0 ? undefined : values.join(",");
  }
  edit(edit: Edit): void {
    this.edits.push(edit);
    const { name, action, values } = edit;
    const lower = name.toLowerCase();
    const isThere = this.#pairs.some(([one]) => one.toLowerCase() === lower);
    if (action === "skip" && isThere) return;
    if (action === "override" || action === "delete")
      this.#pairs = this.#pairs.filter(([one]) => one.toLowerCase() !== lower);
    if (action !== "delete") for (const value of values) this.#pairs.push([name, value]);
  }
  with(edits: readonly Edit[]): this {
    for (const edit of edits) this.edit(edit);
    return this;
  }
  get pairs(): readonly (readonly [string, string])[] {
    return this.#pairs;
  }
  get raw(): string[] {
    return this.#pairs.flat();
  }
}

export type SeenUrl = {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: Fields;
};
export type PolicyNote = {
  readonly scope: string;
  readonly section: string;
  readonly policy: string;
  readonly effect: string;
};
/** A reply instead of the backend's response. `error` is set if a policy rejects the call. */
export type Reply = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer;
  readonly error?: { readonly source: string; readonly reason: string; readonly message: string };
};

/** How many letters the expressions of one call may read and write: they run on the thread that serves all callers. */
export const LETTERS_PER_CALL_MAX = 1_000_000;
export class TooMuchWork extends Error {}
export function spend({ work }: Pick<PolicyRun, "work">, letters: number): void {
  work.lettersLeft -= letters;
  if (work.lettersLeft < 0) throw new TooMuchWork("The expressions of the policies do too much work.");
}

export type PolicyRun = {
  readonly work: { lettersLeft: number };
  readonly requestId: string;
  readonly api: {
    readonly id: string;
    readonly name: string;
    readonly path: string;
    readonly revision: string;
    readonly isCurrent: boolean;
  };
  readonly product: { readonly id: string; readonly name: string } | undefined;
  readonly operation: { readonly id: string; readonly name: string; readonly method: string } | undefined;
  readonly subscription: { readonly id: string; readonly key: string } | undefined;
  readonly request: {
    method: string;
    readonly ipAddress: string;
    readonly headers: Fields;
    readonly original: SeenUrl;
    readonly matched: Readonly<Record<string, string>>;
    /** Path below the API's own path. rewrite-uri changes it. */
    path: string;
    readonly query: Fields;
  };
  /** Original headers and query for credential checks. Expressions cannot read them. */
  readonly shown: { readonly headers: Fields; readonly query: Fields };
  backend: URL | undefined;
  /** Backend ID in lower case, if a policy set one. */
  backendId: string | undefined;
  response: { status: number; readonly headers: Fields } | undefined;
  lastError: Reply["error"];
  readonly variables: Map<string, Value>;
  /** Headers that are added to every response. */
  readonly answerHeaders: (readonly [string, string])[];
  /** `varied`: headers of the request that the key contains, in lower case. */
  cache:
    | { readonly key: string; readonly varied: ReadonlySet<string>; seconds: number | undefined }
    | undefined;
  readonly notes: PolicyNote[];
  emptyFields(): Fields;
};
