/** Questions and answers of another service, which `.lu` files may hold as well: they are left out. */

type Line = { readonly text: string };

export const isQuestion = ({ text }: Line): boolean => /^#+\s*\?/.test(text);
/** The last line that belongs to a question: the next heading or definition does not. */
export function endOfQuestion(lines: readonly Line[], from: number): number {
  let at = from + 1;
  while (at < lines.length && !/^[#$@]/.test(lines[at]?.text ?? "")) at += 1;
  return at - 1;
}
/** Text between fences is the answer to a question. */
export function withoutFences<One extends Line>(lines: readonly One[]): One[] {
  let isInside = false;
  return lines.filter(({ text }) => {
    const isFence = text.startsWith("```");
    if (isFence) isInside = !isInside;
    return !isFence && !isInside;
  });
}
