/** The depth and width of a JSON text, which decide what parsing costs. Counts the marks outside of strings. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

export type JsonSize = { readonly depth: number; readonly members: number; readonly items: number };

/** Counting stops where one of them is more than the most. */
export function measureJson(text: string, most: JsonSize): JsonSize {
  let open = 0;
  let depth = 0;
  let members = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case BRACKET_OPEN:
      case BRACE_OPEN:
        open += 1;
        if (open > depth) depth = open;
        if (depth > most.depth) return { depth, members, items };
        break;
      case BRACKET_CLOSE:
      case BRACE_CLOSE:
        open -= 1;
        break;
      case COLON:
        members += 1;
        if (members > most.members) return { depth, members, items };
        break;
      case COMMA:
        items += 1;
        if (items > most.items) return { depth, members, items };
        break;
    }
  }
  return { depth, members, items };
}

/** The position of the closing quote: one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
