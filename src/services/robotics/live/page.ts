/** The live page of an event, and the page for an unknown event. */
import { builtScript, html, type Page, Pages } from "#kernel/html";
import { eventSections, type LiveEvent, latestWords } from "./sections.ts";
import { style } from "./style.ts";

const pages = new Pages({
  style: { text: style },
  script: builtScript("robotics-live"),
  foot: "Rankings follow from the results as they are entered.",
});

/** `version` identifies the state that the page shows. */
export function renderLivePage(event: LiveEvent, version: string): Page {
  return pages.renderBelowBar({
    title: `${event.name} ${event.season}`,
    corner: html`<span class="state" id="state" role="status">Not live yet</span>`,
    main: html`<main class="board" id="content" data-version="${version}">
<div class="title"><h1>${event.name} <span class="muted">${event.season}</span></h1>
<p class="muted">${event.where}</p></div>
<p class="unseen" aria-live="polite" data-part="latest">${latestWords(event)}</p>
${eventSections(event)}
</main>`,
    protection: { withScript: true },
  });
}

export const renderNoEventPage = (): Page =>
  pages.renderSheet({
    status: 404,
    title: "No such event",
    heading: "There is no such event",
    content: html`<p>The address names an account, a season and an event's code. One of them is not known here.</p>`,
  });
