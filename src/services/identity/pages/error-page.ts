/** The error page: a plain message, with the code for the developer of the application. */

import { html, type Page } from "#kernel/html";
import type { ProblemPage } from "../connect/index.ts";
import { pages } from "./layout.ts";

const headings: Readonly<Record<number, string>> = {
  400: "This link does not work",
  401: "Please sign in",
  403: "This is not allowed",
  404: "Nothing to see here",
  429: "Too many attempts",
};
const FALLBACK = "Something went wrong";

/** `description` is safe to show. */
export const renderErrorPage = ({ status, code, description }: Omit<ProblemPage, "page">): Page =>
  pages.renderSheet({
    status,
    title: headings[status] ?? FALLBACK,
    heading: headings[status] ?? FALLBACK,
    content: html`<p class="break">${description}</p>
<p class="muted small">If you came from an application, go back there and try again. If it happens again, tell the people who run it what it says here.</p>
<p class="small muted">Code: <code>${code}</code></p>`,
  });
