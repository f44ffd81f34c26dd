/** HTML by template: every value is escaped unless it is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Value = string | number | undefined | null | false | Html | readonly Value[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

function rendered(value: Value): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map(rendered).join("");
}
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, i) => text + part + rendered(values[i]), ""));
}

/** Scripts and styles come from our own files only; nothing may frame the page. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

export function page(title: string, active: "overview" | "docs", body: Html): string {
  const link = (name: "overview" | "docs", href: string, text: string) =>
    html`<a href="${href}" ${active === name ? html`aria-current="page"` : false}>${text}</a>`;
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Medley</title>
<link rel="icon" href="/console/assets/icon.svg">
<link rel="stylesheet" href="/console/assets/console.css">
</head>
<body>
<header><a class="brand" href="/console"><img src="/console/assets/icon.svg" alt="" width="28" height="28">Medley</a>
<nav aria-label="Main">${link("overview", "/console", "Overview")}${link("docs", "/console/docs", "Documentation")}<a href="/_medley/openapi.json">OpenAPI</a></nav></header>
<main>${body}</main>
<script src="/console/assets/console.js" defer></script>
</body>
</html>`.text
  }`;
}
