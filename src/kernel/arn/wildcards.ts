/** Wildcard patterns of policies and selections. */

/** `*` matches any characters, `?` one. The worst case is quadratic. */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      star = inPattern;
      mark = at;
      inPattern += 1;
    } else if (wanted === "?" || wanted === text[at]) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
