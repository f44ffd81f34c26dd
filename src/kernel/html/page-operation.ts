/** Operations that answer with a page. */
import { answer, anyone, media } from "#kernel/operation";
import type { Page } from "./page.ts";

export const answerOf = ({ status, html, headers }: Page) => answer(status, html, headers);

/** The part that all operations share that show a page to everybody. */
export const pageFrom = (render: () => Page) =>
  ({
    method: "GET",
    permission: anyone,
    answers: { 200: media("text/html") },
    handle: () => answerOf(render()),
  }) as const;
