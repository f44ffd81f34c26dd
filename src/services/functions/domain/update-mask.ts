/** Which members a change is about: `updateMask` in either spelling, with nested paths. */
import { errors } from "../errors.ts";
import { MAPS, membersOf } from "./spelling.ts";

type Members = Readonly<Record<string, unknown>>;

const PATHS_MAX = 100;
const TOP = new Set([
  "description",
  "environment",
  "labels",
  "kmsKeyName",
  "buildConfig",
  "serviceConfig",
  "eventTrigger",
]);

/** Each path as a list of member names. Undefined: all given members. */
export function readMask(text: string | undefined): readonly (readonly string[])[] | undefined {
  if (text === undefined || text.trim() === "" || text.trim() === "*") return undefined;
  const paths = text
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (paths.length > PATHS_MAX) throw errors.invalidArgument(`updateMask has more than ${PATHS_MAX} paths.`);
  return paths.map(readPath);
}
function readPath(path: string): string[] {
  const members = membersOf(path);
  if (!TOP.has(members[0] ?? "") || members.includes(""))
    throw errors.invalidArgument(`updateMask names "${path}", which cannot be changed.`);
  return members;
}

/**
 * The previous value with the members of the mask replaced. Members in the mask without a value are removed.
 */
export function applyMask(
  before: Members,
  given: Members,
  mask: readonly (readonly string[])[] | undefined,
): Members {
  const paths =
    mask ??
    Object.keys(given)
      .filter((name) => TOP.has(name))
      .flatMap((name) => leavesOf(name, given[name]));
  return paths.reduce((after, path) => replaced(after, path, given), before);
}
const isMembers = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Members that are replaced only as a whole. */
const WHOLE = new Set([...MAPS, "source"]);

/** Without a mask, each given member is replaced separately, so that its siblings remain. */
function leavesOf(name: string, value: unknown): string[][] {
  if (!isMembers(value) || WHOLE.has(name)) return [[name]];
  return Object.entries(value).flatMap(([inner, content]) =>
    leavesOf(inner, content).map((path) => [name, ...path]),
  );
}
function replaced(target: Members, [name = "", ...rest]: readonly string[], given: Members): Members {
  const source = given[name];
  if (rest.length > 0) {
    const inner = isMembers(target[name]) ? (target[name] as Members) : {};
    return { ...target, [name]: replaced(inner, rest, isMembers(source) ? source : {}) };
  }
  const { [name]: _before, ...others } = target;
  return source === undefined ? others : { ...others, [name]: source };
}
