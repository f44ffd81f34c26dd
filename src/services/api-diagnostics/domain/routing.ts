/** Which interface and which of its operations a request is for. */

export type RoutedOperation = {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  /** Of its template: `{…}` stands for any one segment, a last `*` for all that follow. */
  readonly segments: readonly string[];
};
export type Routed = {
  /** Of the path that it answers at; none stands for the root. */
  readonly segments: readonly string[];
  readonly operations: readonly RoutedOperation[];
};

export const segmentsOf = (path: string): readonly string[] => path.split("/").filter((part) => part !== "");
/** What a template says of the path; what it says of the query is not looked at. */
export function templateSegments(template: string): readonly string[] {
  const query = template.indexOf("?");
  return segmentsOf(query < 0 ? template : template.slice(0, query));
}
const same = (wanted: string, given: string | undefined): boolean =>
  given !== undefined && (wanted === given || wanted.toLowerCase() === given.toLowerCase());

/** The one whose path is longest: give them in that order. */
export function findApi<A extends Routed>(
  apis: readonly A[],
  given: readonly string[],
): { readonly api: A; readonly rest: readonly string[] } | undefined {
  const api = apis.find(({ segments }) => segments.every((segment, index) => same(segment, given[index])));
  return api && { api, rest: given.slice(api.segments.length) };
}

const isParameter = (segment: string): boolean => segment.startsWith("{") && segment.endsWith("}");
function fits({ segments }: RoutedOperation, rest: readonly string[]): boolean {
  const isOpen = segments.at(-1) === "*";
  const fixed = isOpen ? segments.slice(0, -1) : segments;
  if (isOpen ? rest.length < fixed.length : rest.length !== fixed.length) return false;
  return fixed.every((segment, index) => isParameter(segment) || same(segment, rest[index]));
}
/** Words outrank parameters, which outrank what is left open. */
const rankOf = ({ segments }: RoutedOperation): string =>
  segments.map((segment) => (segment === "*" ? "2" : isParameter(segment) ? "1" : "0")).join("");

/** Undefined where none fits. An interface that declares no operation takes every request: then there is none to name. */
export function findOperation(
  { operations }: Routed,
  method: string,
  rest: readonly string[],
): RoutedOperation | "any" | undefined {
  if (operations.length === 0) return "any";
  const found = operations.filter(
    (operation) => (operation.method === "*" || operation.method === method) && fits(operation, rest),
  );
  return found.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))[0];
}

/** What a template's parameters stand for in a path that fits it. */
export const matchedBy = (
  operation: RoutedOperation | undefined,
  rest: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (operation?.segments ?? []).flatMap((segment, index) =>
      isParameter(segment) ? [[segment.slice(1, -1), decoded(rest[index] ?? "")] as const] : [],
    ),
  );
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
