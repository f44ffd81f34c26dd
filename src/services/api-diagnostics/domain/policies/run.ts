/** One call as policies see it, and what they have done to it. */

export type Value = string | number | boolean | null;
export type RawHeaders = readonly string[];
export type ExistsAction = "override" | "skip" | "append" | "delete";
export type Edit = {
  readonly name: string;
  readonly action: ExistsAction;
  readonly values: readonly string[];
};

/** Names that are found in any case, with their values, in order. What is done to them can be done to another list as well. */
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
/** What a policy answers instead of the backend; with an `error` where it refuses the call. */
export type Reply = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer;
  readonly error?: { readonly source: string; readonly reason: string; readonly message: string };
};

export type PolicyRun = {
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
    /** Below the API's own; set by rewriting. */
    path: string;
    readonly query: Fields;
  };
  /** As it came, for what checks credentials: no expression sees it. */
  readonly shown: { readonly headers: Fields; readonly query: Fields };
  backend: URL | undefined;
  /** In lower case, where a policy has named one. */
  backendId: string | undefined;
  response: { status: number; readonly headers: Fields } | undefined;
  lastError: Reply["error"];
  readonly variables: Map<string, Value>;
  /** Go with whatever is answered. */
  readonly answerHeaders: (readonly [string, string])[];
  cache: { readonly key: string; seconds: number | undefined } | undefined;
  readonly notes: PolicyNote[];
  emptyFields(): Fields;
};
