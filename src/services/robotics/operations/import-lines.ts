/** Parses an import line. Invalid entries are dropped and reported, valid ones are kept. */
import type { Static } from "@sinclair/typebox";
import { measureJson } from "#kernel/http";
import { type Problem, Shape } from "#kernel/shape";
import { errors } from "../errors.ts";
import { ImportLine } from "../wire/entries.ts";

export type Line = Static<typeof ImportLine>;
/** The list, and the index in it from 0. */
type LeftOut = { readonly part: string; readonly index: number; readonly says: string };
type ReadLine = {
  /** Undefined if the whole line is rejected. */
  readonly line: Line | undefined;
  readonly says: string;
  readonly leftOut: readonly LeftOut[];
};

export const LINE_LENGTH_MAX = 32 * 1024 * 1024;

/** Parsing takes long where much is nested or counted. */
const UNMEASURED_LENGTH_MAX = 64 * 1024;
const DEPTH_MAX = 16;
const MEMBERS_MAX = 500_000;
const ITEMS_MAX = 1_000_000;

/** `number` counts empty lines too, as an editor does. */
export type TextLine = { readonly number: number; readonly text: string };

/** The lines of a text that comes in pieces, without empty ones. No piece is looked at again when the next one comes. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder();
  let text = "";
  let number = 1;
  for await (const chunk of chunks) {
    const [more = "", ...begun] = decoder.decode(chunk, { stream: true }).split("\n");
    text += more;
    for (const next of begun) {
      if (checked(text).trim() !== "") yield { number, text };
      text = next;
      number += 1;
    }
    checked(text);
  }
  if (text.trim() !== "") yield { number, text };
}
function checked(line: string): string {
  if (line.length <= LINE_LENGTH_MAX) return line;
  throw errors.malformedParameter("A line is longer than 32 MiB.");
}

const lineShape = new Shape(ImportLine);
/** PostgreSQL cannot store this character in text. */
const NUL = /\\u0000/;
const ELABORATE = `more than ${MEMBERS_MAX} members, ${ITEMS_MAX} items or ${DEPTH_MAX} levels`;
const ENTRY = /^(matches|alliances|awards|rankings|teams|districts|kinds)\[(\d+)\]\.?/;
const PROBLEMS_TOLD = 3;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
function isElaborate(text: string): boolean {
  if (text.length <= UNMEASURED_LENGTH_MAX) return false;
  const most = { depth: DEPTH_MAX, members: MEMBERS_MAX, items: ITEMS_MAX };
  const { depth, members, items } = measureJson(text, most);
  return depth > most.depth || members > most.members || items > most.items;
}
const refused = (says: string): ReadLine => ({ line: undefined, says, leftOut: [] });
const wordsOf = (problems: readonly Problem[]): string =>
  problems
    .slice(0, PROBLEMS_TOLD)
    .map(({ path, says }) => `${path} ${says}`.trim())
    .join("; ");

const listIn = (value: unknown, part: string): readonly unknown[] => {
  const list = (value as Record<string, unknown> | null)?.[part];
  return Array.isArray(list) ? list : [];
};
/** A team occurs only once in a ranking. */
function twiceRankedIn(value: unknown): LeftOut[] {
  const ranked = new Set<unknown>();
  return listIn(value, "rankings").flatMap((row, index) => {
    const team = (row as { teamNumber?: unknown } | null)?.teamNumber;
    const isTwice = ranked.has(team);
    ranked.add(team);
    return isTwice ? [{ part: "rankings", index, says: `team ${team} is ranked before` }] : [];
  });
}
function misfitsIn(problems: readonly Problem[]): LeftOut[] {
  return problems.map(({ path, says }) => {
    const [at = "", part = "", index = ""] = ENTRY.exec(path) ?? [];
    return { part, index: Number(index), says: `${path.slice(at.length)} ${says}`.trim() };
  });
}
function without(value: unknown, leftOut: readonly LeftOut[]): unknown {
  const rest: Record<string, unknown> = { ...(value as object) };
  for (const part of new Set(leftOut.map((one) => one.part))) {
    const gone = new Set(leftOut.filter((one) => one.part === part).map(({ index }) => index));
    rest[part] = listIn(value, part).filter((_, index) => !gone.has(index));
  }
  return rest;
}
/** Merges the problems of each entry. */
function onceEach(leftOut: readonly LeftOut[]): LeftOut[] {
  const byEntry = new Map<string, LeftOut>();
  for (const one of leftOut) {
    const key = `${one.part}/${one.index}`;
    const before = byEntry.get(key);
    byEntry.set(key, before ? { ...before, says: `${before.says}; ${one.says}` } : one);
  }
  return [...byEntry.values()];
}

export function lineIn(text: string): ReadLine {
  if (NUL.test(text)) return refused("a text with the character 0");
  if (isElaborate(text)) return refused(ELABORATE);
  const given = parsed(text);
  if (given === undefined) return refused("no JSON");
  const { value: asGiven, problems } = lineShape.read(given);
  const whole = problems.filter(({ path }) => !ENTRY.test(path));
  if (whole.length > 0) return refused(wordsOf(whole));
  const leftOut = onceEach([...misfitsIn(problems), ...twiceRankedIn(given)]);
  if (asGiven && leftOut.length === 0) return { line: asGiven as Line, says: "", leftOut };
  const { value, problems: others } = lineShape.read(without(given, leftOut));
  return value ? { line: value as Line, says: "", leftOut } : refused(wordsOf(others));
}
