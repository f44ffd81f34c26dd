/** What the public pages share, and their error pages. */
import { builtScript, html, type Page, Pages } from "#kernel/html";
import { style } from "./style.ts";

export const pages = new Pages({
  style: { text: style },
  script: builtScript("contributions-form"),
  icon: "/console/assets/icon.svg",
  foot: "Pictures are shown without what cameras note in them.",
});

/** A hidden record gets the same answer as a missing one. */
export function renderProblemPage(status: number, message: string): Page {
  const isMissing = status === 401 || status === 404;
  return pages.renderSheet({
    status: isMissing ? 404 : status,
    title: isMissing ? "Not found" : "It did not work",
    heading: isMissing ? "There is nothing here" : "It did not work",
    content: html`<p>${isMissing ? "The address names nothing that everybody may see." : message}</p>`,
  });
}
