/** The order of lists: `updateTime desc, name`. */
import { errors } from "../errors.ts";
import { membersOf } from "./spelling.ts";

type Members = Readonly<Record<string, unknown>>;
type Step = { readonly path: readonly string[]; readonly sign: 1 | -1 };
type OrderKey = readonly (string | number)[];
export type Order = {
  /** The sort key of an item. It is short enough for a page token, even if the item is large. */
  readonly keyOf: (value: Members) => OrderKey;
  readonly compare: (left: OrderKey, right: OrderKey) => number;
};

const STEPS_MAX = 10;
/** Longer texts are compared by their beginnings. */
const COMPARED_CHARACTERS_MAX = 100;
const FIELD = /^[A-Za-z][A-Za-z0-9_.-]{0,199}$/;

function readStep(text: string, fields: readonly string[]): Step {
  const [field = "", direction = "asc", ...rest] = text.split(" ").filter((word) => word !== "");
  const lower = direction.toLowerCase();
  if (!FIELD.test(field) || rest.length > 0 || (lower !== "asc" && lower !== "desc"))
    throw errors.invalidArgument(`orderBy cannot be read at "${text.trim()}": a field, and asc or desc.`);
  const path = membersOf(field);
  if (!fields.includes(path[0] ?? ""))
    throw errors.invalidArgument(`orderBy: there is no field "${field}"; fields are ${fields.join(", ")}.`);
  return { path, sign: lower === "desc" ? -1 : 1 };
}
function comparedAt(value: Members, path: readonly string[]): string | number {
  const found = path.reduce<unknown>(
    (inner, name) =>
      inner !== null && typeof inner === "object" && Object.hasOwn(inner, name)
        ? (inner as Members)[name]
        : undefined,
    value,
  );
  return typeof found === "number" ? found : String(found ?? "").slice(0, COMPARED_CHARACTERS_MAX);
}
function compareValues(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [a, b] = [String(left), String(right)];
  return a < b ? -1 : Number(a > b);
}

/** Equal items are sorted by name, so that the order is stable. `fields`: the members of the listed items. */
export function readOrder(text: string | undefined, fields: readonly string[]): Order {
  const steps = text?.trim() ? text.split(",").map((step) => readStep(step, fields)) : [];
  if (steps.length > STEPS_MAX) throw errors.invalidArgument(`orderBy has more than ${STEPS_MAX} fields.`);
  return {
    keyOf: (value) => [...steps.map(({ path }) => comparedAt(value, path)), String(value.name)],
    compare(left, right) {
      for (const [index, value] of left.entries()) {
        const order = (steps[index]?.sign ?? 1) * compareValues(value, right[index] ?? "");
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}
