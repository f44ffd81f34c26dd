/** Layout that all pages of the bank share. */
import { html, nothing, type Page, Pages, type Part, styleWith } from "#kernel/html";

const STYLE = `
.sum{font-size:2.1rem;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.ways .choice{padding:.7rem .8rem;border:1px solid var(--line);border-radius:var(--small);margin:0}
.ways .choice+.choice{margin-top:.5rem}
`;
export const pages = new Pages({
  style: { text: styleWith(STYLE) },
  icon: "/console/assets/icon.svg",
  foot: "This bank keeps its books here; no other bank hears of it.",
});

export const renderProblem = (status: number, message: string): Page =>
  pages.renderSheet({
    status,
    title: "It did not work",
    heading: "It did not work",
    content: html`<p>${message}</p>`,
  });
/** Above a form that is shown again. */
export const problem = (message: string | undefined): Part =>
  message === undefined ? nothing : html`<p class="problem" role="alert">${message}</p>`;

export const renderGone = (): Page =>
  pages.renderSheet({
    status: 404,
    title: "Nothing to pay",
    heading: "There is nothing to pay here",
    content: html`<p>The address is not complete, or its owner has withdrawn it.</p>`,
  });
