/** The order of lists: `updateTime desc, name`. */
import { errors } from "../errors.ts";
import { camelCased } from "./spelling.ts";

type Members = Readonly<Record<string, unknown>>;
type Step = { readonly path: readonly string[]; readonly sign: 1 | -1 };
export type Order = (left: Members, right: Members) => number;

const STEPS_MAX = 10;
const FIELD = /^[A-Za-z][A-Za-z0-9_.]{0,199}$/;

function readStep(text: string): Step {
  const [field = "", direction = "asc", ...rest] = text.split(" ").filter((word) => word !== "");
  const lower = direction.toLowerCase();
  if (!FIELD.test(field) || rest.length > 0 || (lower !== "asc" && lower !== "desc"))
    throw errors.invalidArgument(`orderBy cannot be read at "${text.trim()}": a field, and asc or desc.`);
  return { path: field.split(".").map(camelCased), sign: lower === "desc" ? -1 : 1 };
}
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Members | undefined)?.[name], value);

function compareValues(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [a, b] = [String(left ?? ""), String(right ?? "")];
  return a < b ? -1 : Number(a > b);
}

/** Names decide between equals, so that the order is always the same. */
export function readOrder(text: string | undefined): Order {
  const steps = (text ?? "")
    .split(",")
    .filter((step) => step.trim() !== "")
    .map(readStep);
  if (steps.length > STEPS_MAX) throw errors.invalidArgument(`orderBy has more than ${STEPS_MAX} fields.`);
  const all: readonly Step[] = [...steps, { path: ["name"], sign: 1 }];
  return (left, right) => {
    for (const { path, sign } of all) {
      const order = sign * compareValues(valueAt(left, path), valueAt(right, path));
      if (order !== 0) return order;
    }
    return 0;
  };
}
