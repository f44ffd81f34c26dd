/** An error that is shown as a page. */
import type { Page } from "../html/page.ts";
import type { RenderedError } from "./protocol.ts";

export const asRenderedError = ({ status, html, headers }: Page): RenderedError => ({
  status,
  headers: {
    "content-type": "text/html; charset=utf-8",
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === "string" ? value : value.join(),
      ]),
    ),
  },
  body: html,
});
