/** Scripts of services' own pages, and the field for the credential that they use. */
import { readFileSync } from "node:fs";
import { workerFile } from "#kernel/workers";
import { html, type Markup } from "./markup.ts";
import type { Source } from "./page.ts";

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

/** Hidden from readers who are signed in at the console. The script reads from it how the credential is sent. */
export const credentialField = ({ label, header, prefix, invalid }: PageCredential): Markup =>
  html`<div id="credential-field"><label for="credential">${label}</label><input id="credential" type="password" autocomplete="off" spellcheck="false" required data-header="${header}" data-prefix="${prefix}" data-invalid="${invalid}"></div>`;

/** As it was built from `console/service-pages/<name>.ts`. */
export const builtScript = (name: string): Source & { readonly text: string } => ({
  text: readFileSync(workerFile(import.meta.url, `service-pages/${name}.js`), "utf8"),
});
