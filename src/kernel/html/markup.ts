/** HTML templates: every value is escaped, unless it is markup itself. */

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What a template may hold. `undefined`, `null` and `false` write nothing. */
export type Part = Markup | string | number | undefined | null | false | readonly Part[];

const ENTITY: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITY[mark] ?? mark);

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return part.map(textOf).join("");
}

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = texts[0] ?? "";
  parts.forEach((part, index) => {
    text += textOf(part) + (texts[index + 1] ?? "");
  });
  return new Markup(text);
}

export const nothing = new Markup("");

/** ` name="value"` for every given attribute; `true` means an attribute without a value. */
export function attributes(given: Readonly<Record<string, string | number | boolean | undefined>>): Markup {
  let text = "";
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === false) continue;
    text += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  return new Markup(text);
}
