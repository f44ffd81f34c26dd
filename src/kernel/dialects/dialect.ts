/**
 * The maker's spelling of a service, as a table. A request that uses it is understood and answered in it. A request
 * in the neutral spelling costs a few lookups. Nothing behind the HTTP layer knows dialects.
 */
type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type DialectTable = {
  readonly name: string;
  /** Request headers, lower case: maker's name to neutral name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request headers that only the maker's clients send. They decide if the path has no word of either spelling. */
  readonly telltaleHeaders?: readonly string[];
  /** Do these headers identify a client of the maker? Then the answer uses the maker's spelling. */
  isMakersClient?(headers: Readonly<Record<string, unknown>>): boolean;
  /** Answer headers: neutral name to maker's name. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Words in paths, such as a provider namespace: maker's to neutral. */
  readonly pathWords?: Readonly<Record<string, string>>;
  /** Members of JSON bodies, forms and queries: maker's to neutral. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Members whose values contain path words (ids, links, type names), which are respelt too. */
  readonly valueFields?: readonly string[];
  /** Such members in answers only: values from callers stay unchanged. */
  readonly answerValueFields?: readonly string[];
  /**
   * Members whose whole content is passed on unchanged, because somebody else wrote it: `headers`, or
   * `properties.message` if the name alone is ambiguous.
   */
  readonly verbatim?: readonly string[];
  /** Whole values of text members: maker's to neutral. */
  readonly values?: Readonly<Record<string, string>>;
  /** Whether error messages name headers and members in the maker's spelling. */
  readonly respellsErrors?: boolean;
  /** The members with these values; default: all. */
  readonly valuesOf?: readonly string[];
  /** Whether JSON answers escape everything beyond ASCII, because the maker's clients check signatures that way. */
  readonly isAscii?: boolean;
  /** The maker's envelope around an answer, if its wire format differs from the contract's shape. */
  wrapAnswer?(operationId: string, status: number, body: unknown, headers: AnswerHeaders): unknown;
  unwrapBody?(operationId: string, body: unknown): unknown;
};

export type Dialect = {
  readonly name: string;
  /** Its table, if it has nothing else: such dialects of one name can be joined. */
  readonly table?: DialectTable;
  readonly isAscii?: boolean;
  /** Does this request use the maker's spelling? Gets the path below the mount. */
  detect(request: {
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly rawQuery: string;
  }): boolean;
  /**
   * `maps`, here and below: members that are maps of texts. Their content belongs to the user and stays unchanged.
   */
  detectBody(body: unknown, maps?: ReadonlySet<string>): boolean;
  neutralPath(path: string): string;
  neutralHeaders(headers: Record<string, unknown>): Record<string, unknown>;
  neutralQuery(query: Record<string, unknown>): Record<string, unknown>;
  neutralBody(operationId: string, body: unknown, maps?: ReadonlySet<string>): unknown;
  makersBody(
    operationId: string,
    status: number,
    body: unknown,
    headers?: AnswerHeaders,
    maps?: ReadonlySet<string>,
  ): unknown;
  makersHeaders(headers: Record<string, unknown>): Record<string, unknown>;
  /** A message with headers and members in the maker's spelling, except those that the caller wrote. */
  makersSentence?(sentence: string, isWritten: (name: string) => boolean): string;
};

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const flip = (table: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([from, to]) => [to, from]));

function commonBeginning([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others)
    while (!other.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  return first.slice(0, length);
}

function wordReplacer(words: Readonly<Record<string, string>>): {
  test(text: string): boolean;
  replace(text: string): string;
} {
  const names = Object.keys(words);
  if (names.length === 0) return { test: () => false, replace: (text) => text };
  const byLower = new Map(Object.entries(words).map(([from, to]) => [from.toLowerCase(), to]));
  const pattern = `(?<![A-Za-z0-9])(?:${names.map(escapePattern).join("|")})(?![A-Za-z0-9])`;
  const one = new RegExp(pattern, "i");
  const all = new RegExp(pattern, "gi");
  // Most texts contain none of the words. Their common prefix shows this faster.
  const beginning = new RegExp(escapePattern(commonBeginning(names)), "i");
  return {
    test: (text) => beginning.test(text) && one.test(text),
    replace: (text) =>
      beginning.test(text) ? text.replace(all, (word) => byLower.get(word.toLowerCase()) ?? word) : text,
  };
}

const titled = (header: string): string => header.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());
/** Undefined if messages stay unchanged. */
function sentenceSpeller({
  respellsErrors,
  headers = {},
  fields = {},
}: DialectTable): Dialect["makersSentence"] {
  if (!respellsErrors) return undefined;
  const names = new Map(Object.entries(flip(fields)));
  for (const [maker, neutral] of Object.entries(headers)) names.set(titled(neutral), titled(maker));
  const pattern = [...names.keys()].map(escapePattern).join("|");
  const all = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, "g");
  return (sentence, isWritten) =>
    sentence.replace(all, (name) => (isWritten(name) ? name : (names.get(name) ?? name)));
}

type Renaming = {
  readonly fields: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  readonly valuesOf: ReadonlySet<string> | undefined;
  readonly valueFields: ReadonlySet<string>;
  readonly verbatim: ReadonlySet<string>;
  readonly maps: ReadonlySet<string>;
  word(text: string): string;
};

const wholeValueOf = (value: string, { values, valuesOf }: Renaming, member: string): string | undefined =>
  valuesOf === undefined || valuesOf.has(member) ? values.get(value) : undefined;
/** Bytes and streams. */
const isPassedOn = (value: object): boolean => value instanceof Uint8Array || Symbol.asyncIterator in value;

function rename(value: unknown, names: Renaming, member: string): unknown {
  if (typeof value === "string") {
    const whole = wholeValueOf(value, names, member);
    if (whole !== undefined) return whole;
    return names.valueFields.has(member) ? names.word(value) : value;
  }
  if (value === null || typeof value !== "object" || isPassedOn(value)) return value;
  if (Array.isArray(value)) return value.map((item) => rename(item, names, member));
  const renamed: Record<string, unknown> = {};
  const { verbatim, maps } = names;
  for (const [name, inner] of Object.entries(value)) {
    const isKept =
      isMap(maps, name, inner) ||
      (verbatim.size > 0 && (verbatim.has(name) || verbatim.has(`${member}.${name}`)));
    renamed[names.fields.get(name) ?? name] = isKept ? inner : rename(inner, names, name);
  }
  return renamed;
}

const NO_MAPS: ReadonlySet<string> = new Set();
const isMap = (maps: ReadonlySet<string>, name: string, value: unknown): boolean =>
  maps.has(name) && typeof value === "object" && !Array.isArray(value);

function hasMember(value: unknown, fields: ReadonlySet<string>, maps: ReadonlySet<string>): boolean {
  if (value === null || typeof value !== "object" || isPassedOn(value)) return false;
  if (Array.isArray(value)) return value.some((item) => hasMember(item, fields, maps));
  return Object.entries(value).some(
    ([name, inner]) => fields.has(name) || (!isMap(maps, name, inner) && hasMember(inner, fields, maps)),
  );
}

export function defineDialect(table: DialectTable): Dialect {
  const headers = Object.entries(table.headers ?? {});
  const telltales = table.telltaleHeaders ?? [];
  const answerHeaders = new Map(
    Object.entries(table.answerHeaders ?? {}).map(([from, to]) => [from.toLowerCase(), to]),
  );
  const makersWords = wordReplacer(table.pathWords ?? {});
  const neutralWords = wordReplacer(flip(table.pathWords ?? {}));
  const fields = table.fields ?? {};
  const fieldNames = new Set(Object.keys(fields));
  const queryPattern =
    fieldNames.size > 0
      ? new RegExp(`(?:^|&)(?:${[...fieldNames].map(escapePattern).join("|")})=`)
      : undefined;
  const valueFields = new Set(table.valueFields ?? []);
  const verbatim = new Set(table.verbatim ?? []);
  const valuesOf = table.valuesOf && new Set(table.valuesOf);
  const inward: Renaming = {
    fields: new Map(Object.entries(fields)),
    values: new Map(Object.entries(table.values ?? {})),
    valuesOf,
    valueFields,
    verbatim,
    maps: NO_MAPS,
    word: (text) => makersWords.replace(text),
  };
  const outward: Renaming = {
    fields: new Map(Object.entries(flip(fields))),
    values: new Map(Object.entries(flip(table.values ?? {}))),
    valuesOf,
    valueFields: new Set([...valueFields, ...(table.answerValueFields ?? [])]),
    verbatim,
    maps: NO_MAPS,
    word: (text) => neutralWords.replace(text),
  };
  const makersSentence = sentenceSpeller(table);
  return {
    name: table.name,
    table,
    isAscii: table.isAscii === true,
    ...(makersSentence && { makersSentence }),
    detect: ({ path, headers: given, rawQuery }) =>
      headers.some(([maker]) => given[maker] !== undefined) ||
      table.isMakersClient?.(given) === true ||
      makersWords.test(path) ||
      (telltales.some((name) => given[name] !== undefined) && !neutralWords.test(path)) ||
      (queryPattern?.test(rawQuery) ?? false),
    detectBody: (body, maps = NO_MAPS) => fieldNames.size > 0 && hasMember(body, fieldNames, maps),
    neutralPath: (path) => makersWords.replace(path),
    neutralHeaders(given) {
      const result = { ...given };
      for (const [maker, neutral] of headers) if (given[maker] !== undefined) result[neutral] = given[maker];
      return result;
    },
    neutralQuery: (query) => rename(query, inward, "") as Record<string, unknown>,
    neutralBody: (operationId, body, maps = NO_MAPS) =>
      rename(table.unwrapBody?.(operationId, body) ?? body, { ...inward, maps }, ""),
    makersBody(operationId, status, body, given = {}, maps = NO_MAPS) {
      const renamed = rename(body, { ...outward, maps }, "");
      return table.wrapAnswer ? table.wrapAnswer(operationId, status, renamed, given) : renamed;
    },
    makersHeaders: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          answerHeaders.get(name.toLowerCase()) ?? name,
          typeof value === "string" ? neutralWords.replace(value) : value,
        ]),
      ),
  };
}
