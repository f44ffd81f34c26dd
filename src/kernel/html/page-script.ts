/** Scripts of services' own pages, and the field for the credential that they use. */
import { readFileSync } from "node:fs";
import { workerFile } from "#kernel/workers";
import { TOOL_STYLE } from "./look.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { type Page, Pages, type Protection, type Source } from "./page.ts";

export type PageCredential = {
  readonly label: string;
  /** The request header for the credential. */
  readonly header: string;
  readonly prefix: string;
  readonly invalid: string;
};
export const pageToken: PageCredential = {
  label: "Bearer token",
  header: "authorization",
  prefix: "Bearer ",
  invalid: "This token is not valid.",
};
export const pageKeyIn = (header: string): PageCredential => ({
  label: "API key",
  header,
  prefix: "",
  invalid: "This key is not valid.",
});

/** Sends the form that opens a page. Hidden from readers who are signed in at the console, for whom it opens by itself. */
export const openingButton = (text: string): Markup =>
  html`<div class="actions end" id="opening-button"><button class="button">${text}</button></div>`;

/** Where files are dropped or chosen. The script handles it with `onFiles`. */
export const fileField = (id: string, label: string, accept: string, isMultiple = false): Markup =>
  html`<div class="drop" id="drop"><p id="${id}-label">${label}</p><label class="button quiet file-button"><span>Choose ${isMultiple ? "files" : "a file"}</span><input id="${id}" type="file" class="unseen" accept="${accept}" aria-describedby="${id}-label"${isMultiple ? html` multiple` : nothing}></label></div>`;

/** Hidden from readers who are signed in at the console. The script reads from it how the credential is sent. */
export const credentialField = ({ label, header, prefix, invalid }: PageCredential): Markup =>
  html`<div id="credential-field"><label for="credential">${label}</label><input id="credential" type="password" autocomplete="off" spellcheck="false" required data-header="${header}" data-prefix="${prefix}" data-invalid="${invalid}"></div>`;

/** As it was built from `console/service-pages/<name>.ts`. */
export const builtScript = (name: string): Source & { readonly text: string } => ({
  text: readFileSync(workerFile(import.meta.url, `service-pages/${name}.js`), "utf8"),
});

type Tool = {
  readonly heading: string;
  /** Name of the script, see `builtScript`. */
  readonly script: string;
  readonly style: string;
  readonly foot: string;
  readonly content: Markup;
};
/** Renders the page of a tool: on its own, or in the frame of the console. */
export function toolPage({ heading, script, style, foot, content }: Tool): (more?: Protection) => Page {
  const pages = new Pages({
    script: builtScript(script),
    foot,
    style: { text: style + TOOL_STYLE },
    home: "/console",
    frameScript: builtScript("console-frame"),
  });
  return (more = {}) =>
    pages.renderColumn({
      title: `${heading} · Medley`,
      heading,
      broad: true,
      protection: { ...more, withScript: true },
      content,
    });
}
