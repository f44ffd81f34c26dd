/** The frame of the console's pages. */
import { html, type Link, links, type Page, Pages, type Part } from "#kernel/html";
import { asRenderedError, headerOf, type Protocol } from "#kernel/protocols";
import { adminProtocol } from "../protocol.ts";

const pages = new Pages({
  style: { address: "/console/assets/console.css" },
  script: { address: "/console/assets/console.js" },
  icon: "/console/assets/icon.svg",
  home: "/console",
});

export type ConsolePage = {
  readonly title: string;
  readonly heading: Part;
  readonly current: "overview" | "docs";
  readonly content: Part;
};
const menu = (current: ConsolePage["current"]): readonly Link[] => [
  { href: "/console", text: "Overview", current: current === "overview" },
  { href: "/console/docs", text: "Documentation", current: current === "docs" },
  { href: "/_medley/openapi.json", text: "OpenAPI", current: false },
];

export const renderConsolePage = ({ title, heading, current, content }: ConsolePage): Page =>
  pages.renderColumn({
    title: `${title} · Medley`,
    heading,
    corner: links("Main", menu(current)),
    content,
    broad: true,
    protection: { withScript: true },
  });

const renderProblem = (status: number, message: string): Page => {
  const heading = status === 404 ? "Nothing to see here" : "Something went wrong";
  return pages.renderSheet({
    status,
    title: `${heading} · Medley`,
    heading,
    content: html`<p class="break">${message}</p><p><a class="button" href="/console">To the console</a></p>`,
  });
};

/** As the admin interface, but what goes wrong is told to a browser by a page. */
export const consoleProtocol: Protocol = {
  ...adminProtocol,
  renderError(error, call) {
    if (!headerOf(call, "accept")?.includes("text/html")) return adminProtocol.renderError(error, call);
    return asRenderedError(renderProblem(error.status, error.message));
  },
};
