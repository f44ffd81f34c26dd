/**
 * Joins the tables of services that share a mount and a dialect, so that each understands the names of the others.
 */
import { type Dialect, type DialectTable, defineDialect } from "./dialect.ts";

type Words = Readonly<Record<string, string>>;
type WordTable = "headers" | "answerHeaders" | "pathWords" | "fields" | "values";
type MemberList = "valueFields" | "valuesOf" | "answerValueFields" | "verbatim" | "telltaleHeaders";

/** A word has one meaning. Two words for one thing are both understood, and answers use the last declared one. */
function joinWords(tables: readonly DialectTable[], kind: WordTable): Words {
  const joined = new Map<string, string>();
  for (const table of tables) {
    for (const [from, to] of Object.entries(table[kind] ?? {})) {
      const known = joined.get(from) ?? to;
      if (known !== to)
        throw new Error(`in the dialect ${table.name}, ${from} means both ${known} and ${to}`);
      joined.set(from, to);
    }
  }
  return Object.fromEntries(joined);
}
const joinMembers = (tables: readonly DialectTable[], kind: MemberList): readonly string[] => [
  ...new Set(tables.flatMap((table) => table[kind] ?? [])),
];

function joinTables(name: string, tables: readonly DialectTable[]): DialectTable {
  const wraps = new Set(tables.flatMap(({ wrapAnswer }) => wrapAnswer ?? []));
  const unwraps = new Set(tables.flatMap(({ unwrapBody }) => unwrapBody ?? []));
  return {
    name,
    headers: joinWords(tables, "headers"),
    telltaleHeaders: joinMembers(tables, "telltaleHeaders"),
    answerHeaders: joinWords(tables, "answerHeaders"),
    pathWords: joinWords(tables, "pathWords"),
    fields: joinWords(tables, "fields"),
    values: joinWords(tables, "values"),
    ...(tables.every(({ values, valuesOf }) => !values || valuesOf) && {
      valuesOf: joinMembers(tables, "valuesOf"),
    }),
    valueFields: joinMembers(tables, "valueFields"),
    answerValueFields: joinMembers(tables, "answerValueFields"),
    verbatim: joinMembers(tables, "verbatim"),
    isAscii: tables.some(({ isAscii }) => isAscii === true),
    respellsErrors: tables.some(({ respellsErrors }) => respellsErrors === true),
    wrapAnswer: (operationId, status, body, headers) =>
      [...wraps].reduce((wrapped, wrap) => wrap(operationId, status, wrapped, headers), body),
    unwrapBody: (operationId, body) =>
      [...unwraps].reduce((unwrapped, unwrap) => unwrap(operationId, unwrapped) ?? unwrapped, body),
  };
}

/** Dialects made of tables are joined by name. Others stay separate. */
export function joinDialects(dialects: readonly Dialect[]): readonly Dialect[] {
  const distinct = [...new Set(dialects)];
  return [...new Set(distinct.map(({ name }) => name))].flatMap((name) => {
    const named = distinct.filter((dialect) => dialect.name === name);
    const tables = named.flatMap(({ table }) => table ?? []);
    if (tables.length < 2) return named;
    return [defineDialect(joinTables(name, tables)), ...named.filter(({ table }) => !table)];
  });
}
