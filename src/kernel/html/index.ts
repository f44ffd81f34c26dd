/** HTML: escaping templates, the frame of a page, and the common style. */
export { drawing, ICON, mark } from "./drawings.ts";
export { styleWith } from "./look.ts";
export { attributes, escapeHtml, html, Markup, nothing, type Part } from "./markup.ts";
export { type Framing, type Link, links, type Page, type PageParts, Pages, type Protection } from "./page.ts";
export { answerOf, pageFrom } from "./page-operation.ts";
export {
  builtScript,
  credentialField,
  fileField,
  openingButton,
  pageKeyIn,
  pageToken,
  toolPage,
} from "./page-script.ts";
