/**
 * The maker's spelling of the signed services, as a dialect: `arn:aws:…` and `AWS::…` for `arn:vendor:…` and
 * `Vendor::…`. A request uses it if it comes from a client of the maker, which identifies itself in a header, or if
 * it contains such a name.
 */
import type { Dialect } from "../dialects/dialect.ts";
import { makersName, makersNamesIn, neutralName, neutralNamesIn } from "./arn.ts";

type Respelling = { neutral(text: string): string; makers(text: string): string };

export type MakersSpelling = {
  readonly name: string;
  /** Members whose text, or whose list of texts, is the name of a resource or of a type. */
  readonly names: readonly string[];
  /** Members whose text is a sentence that may hold such names. */
  readonly sentences?: readonly string[];
  /** Whole values of one member: maker's to neutral. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members whose text is a document of its own. */
  readonly documents?: Readonly<Record<string, Respelling>>;
  /** Members whose content belongs to the caller, such as tags: never respelt. */
  readonly verbatim?: readonly string[];
};

type Direction = {
  readonly members: ReadonlyMap<string, (text: string) => string>;
  readonly verbatim: ReadonlySet<string>;
  readonly maps: ReadonlySet<string>;
};
const NO_MAPS: ReadonlySet<string> = new Set();

const isObject = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);

/** Returns the same object if there is nothing to respell. */
function respell(value: unknown, member: string, direction: Direction): unknown {
  if (typeof value === "string") return direction.members.get(member)?.(value) ?? value;
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => respell(item, member, direction));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const isKept = direction.verbatim.has(name) || (direction.maps.has(name) && isObject(inner));
    const respelt = isKept ? inner : respell(inner, name, direction);
    if (respelt === inner) continue;
    changed ??= { ...value };
    changed[name] = respelt;
  }
  return changed ?? value;
}

function respellingsOf(spelling: MakersSpelling): [string, Respelling][] {
  const names = spelling.names.map((member): [string, Respelling] => [
    member,
    { neutral: neutralName, makers: makersName },
  ]);
  const sentences = (spelling.sentences ?? []).map((member): [string, Respelling] => [
    member,
    { neutral: neutralNamesIn, makers: makersNamesIn },
  ]);
  const values = Object.entries(spelling.values ?? {}).map(([member, table]): [string, Respelling] => {
    const neutral = new Map(Object.entries(table));
    const makers = new Map(Object.entries(table).map(([from, to]) => [to, from]));
    return [
      member,
      {
        neutral: (text) => neutral.get(text) ?? neutralName(text),
        makers: (text) => makers.get(text) ?? makersName(text),
      },
    ];
  });
  return [...names, ...sentences, ...values, ...Object.entries(spelling.documents ?? {})];
}

/** In paths and queries names come percent-encoded. */
const ENCODED_ARN = /\barn(:|%3a)aws(?=:|-|%3a)/i;
const ENCODED_ARNS = new RegExp(ENCODED_ARN, "gi");
const MAKERS_CLIENT = /^(?:aws-|boto|botocore)/i;

/** Does one of the maker's clients send these headers? */
export const isMakersClient = (headers: Readonly<Record<string, unknown>>): boolean =>
  headers["amz-sdk-invocation-id"] !== undefined ||
  headers["amz-sdk-request"] !== undefined ||
  MAKERS_CLIENT.test(String(headers["x-amz-user-agent"] ?? headers["user-agent"] ?? ""));

export function defineMakersSpelling(spelling: MakersSpelling): Dialect {
  const respellings = respellingsOf(spelling);
  const verbatim = new Set(spelling.verbatim ?? []);
  const inward: Direction = {
    members: new Map(respellings.map(([member, { neutral }]) => [member, neutral])),
    verbatim,
    maps: NO_MAPS,
  };
  const outward: Direction = {
    members: new Map(respellings.map(([member, { makers }]) => [member, makers])),
    verbatim,
    maps: NO_MAPS,
  };
  return {
    name: spelling.name,
    detect: ({ path, headers, rawQuery }) =>
      isMakersClient(headers) || ENCODED_ARN.test(path) || ENCODED_ARN.test(rawQuery),
    detectBody: (body, maps = NO_MAPS) => respell(body, "", { ...inward, maps }) !== body,
    neutralPath: (path) => path.replace(ENCODED_ARNS, "arn$1vendor"),
    neutralHeaders: (headers) => headers,
    neutralQuery: (query) => respell(query, "", inward) as Record<string, unknown>,
    neutralBody: (_operationId, body, maps = NO_MAPS) => respell(body, "", { ...inward, maps }),
    makersBody: (_operationId, _status, body, _headers, maps = NO_MAPS) =>
      respell(body, "", { ...outward, maps }),
    makersHeaders: (headers) => headers,
  };
}
