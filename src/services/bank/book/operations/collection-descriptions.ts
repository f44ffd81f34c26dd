/** Descriptions of the operations on a collection, from its table and the state machine of its kind. */
import { recordStates } from "../domain/states/index.ts";
import type { Category } from "../happening.ts";

type Described = {
  readonly kind: string;
  readonly noun: string;
  readonly countMax: number;
  readonly category?: Category;
  readonly signed?: readonly string[];
  readonly change?: unknown;
  readonly remove?: unknown;
};
const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");
const isSigned = ({ signed = [] }: Described, verb: string): readonly string[] =>
  signed.includes(verb) ? ["The request must be signed."] : [];
const notifies = ({ category }: Described): readonly string[] =>
  category === undefined ? [] : [`Records an event, and notifies filters of the category \`${category}\`.`];

function movesOf(kind: string): readonly string[] {
  const { moves = {} } = recordStates[kind] ?? {};
  return Object.entries(moves).flatMap(([from, to]) =>
    to.length === 0 ? [] : [`from \`${from}\` to ${listed(to)}`],
  );
}

export function createDescription(table: Described): string {
  const { initial } = recordStates[table.kind] ?? {};
  return [
    `There may be ${table.countMax} at most; further ones are refused.`,
    ...(initial === undefined ? [] : [`The first status is \`${initial}\`.`]),
    ...notifies(table),
    ...isSigned(table, "create"),
  ].join(" ");
}
export const listDescription = (): string =>
  "Follow `older_url` of the pagination for earlier ones. An id in `older_id` or `newer_id` is where a page begins.";

export function readDescription({ kind, noun }: Described): string {
  const { initial, moves = {} } = recordStates[kind] ?? {};
  const states =
    initial === undefined
      ? []
      : [...new Set([initial, ...Object.keys(moves), ...Object.values(moves).flat()])];
  return [
    `An unknown ${noun}, or one of another user, gives 404.`,
    ...(states.length === 0 ? [] : [`Its status is one of ${listed(states)}.`]),
  ].join(" ");
}
export function updateDescription(table: Described): string {
  const asked = recordStates[table.kind]?.asked ?? [];
  const moves = movesOf(table.kind);
  return [
    ...(table.change === undefined ? ["Members that are not given stay."] : []),
    ...(asked.length === 0 ? [] : [`A request may ask for the status ${listed(asked)}.`]),
    ...(moves.length === 0 ? [] : [`The status moves ${moves.join("; ")}.`]),
    ...notifies(table),
    ...isSigned(table, "update"),
    `An unknown ${table.noun} gives 404.`,
  ].join(" ");
}
export const deleteDescription = ({ noun, remove }: Described): string =>
  [
    ...(remove === undefined
      ? []
      : ["Its effects end too, or the request is refused if that is not possible."]),
    `An unknown ${noun} gives 404, also when it was deleted before.`,
  ].join(" ");
