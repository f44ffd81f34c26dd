/** Paths as signers read them: `.`, `..` and empty segments are resolved, and a final slash stays. */
export const hasDotSegments = (path: string): boolean => path.includes("/.") || path.includes("//");

export function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept.length === 0 ? "/" : `/${kept.join("/")}${path.endsWith("/") ? "/" : ""}`;
}
