/** Finds the API and the operation of a request. */

export type RoutedOperation = {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  /** Template segments: `{…}` matches one segment, a trailing `*` matches the rest. */
  readonly segments: readonly string[];
};
export type Routed = {
  /** Path segments of the API. An empty list is the root. */
  readonly segments: readonly string[];
  readonly operations: readonly RoutedOperation[];
};

export const segmentsOf = (path: string): readonly string[] => path.split("/").filter((part) => part !== "");
/** Path segments of a template. Its query part is ignored. */
export function templateSegments(template: string): readonly string[] {
  const query = template.indexOf("?");
  return segmentsOf(query < 0 ? template : template.slice(0, query));
}
const same = (wanted: string, given: string | undefined): boolean =>
  given !== undefined && (wanted === given || wanted.toLowerCase() === given.toLowerCase());

/** The first match. Callers pass the APIs with the longest path first. */
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
/** Literal segments rank before parameters, and parameters before wildcards. */
const rankOf = ({ segments }: RoutedOperation): string =>
  segments.map((segment) => (segment === "*" ? "2" : isParameter(segment) ? "1" : "0")).join("");

/**
 * Undefined if no operation matches. An API without operations accepts every request, and the result is
 * "any".
 */
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

/** Values of the template parameters in a matching path. */
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
