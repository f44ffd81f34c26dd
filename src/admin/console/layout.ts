/** Frame of the console's pages. It is complete without scripts; the app replaces it. */
import { html, type Page, Pages, type Part } from "#kernel/html";
import type { Service } from "#kernel/operation";
import { asRenderedError, headerOf, type Protocol } from "#kernel/protocols";
import { adminProtocol } from "../protocol.ts";
import { builtApp } from "./built.ts";

let known: Pages | undefined;
/** Created with the first page, because it reads the build manifest. */
function pages(): Pages {
  const { style, script } = builtApp();
  known ??= new Pages({
    style: { address: style },
    script: { address: script, isApp: true },
    icon: "/console/assets/icon.svg",
    home: "/console",
  });
  return known;
}

export type ConsolePage = {
  readonly title: string;
  readonly heading: Part;
  readonly services: readonly Service[];
  readonly content: Part;
};

const sideBar = (services: readonly Service[]) => html`<aside class="side"><nav aria-label="Services">
<ul><li><a href="/console">Overview</a></li><li><a href="/console/docs">Documentation</a></li><li><a href="/_medley/openapi.json">OpenAPI</a></li></ul>
<ul>${services.map(({ name, title }) => html`<li><a href="/console/docs/${name}">${title}</a></li>`)}</ul></nav></aside>`;

/** The console shows request bodies and recordings from memory through `blob:` URLs. */
const protection = { withScript: true, showsTools: true, pictureSources: ["blob:"], soundSources: ["blob:"] };

export const renderConsolePage = ({ title, heading, services, content }: ConsolePage): Page =>
  pages().render({
    title: `${title} · Medley`,
    bodyClass: "console",
    body: html`<div class="app" id="app"><header class="top"><a class="brand" href="/console">Medley</a></header>
${sideBar(services)}
<main class="main" id="content"><div class="page"><h1>${heading}</h1>
${content}</div></main></div>`,
    protection,
  });

const renderProblem = (status: number, message: string): Page => {
  const heading = status === 404 ? "Page not found" : "Something went wrong";
  return pages().renderSheet({
    status,
    title: `${heading} · Medley`,
    heading,
    content: html`<p class="break">${message}</p><p><a class="button" href="/console">To the console</a></p>`,
  });
};

/** Like the admin API, but browsers get errors as HTML pages. */
export const consoleProtocol: Protocol = {
  ...adminProtocol,
  renderError(error, call) {
    if (!headerOf(call, "accept")?.includes("text/html")) return adminProtocol.renderError(error, call);
    return asRenderedError(renderProblem(error.status, error.message));
  },
};
