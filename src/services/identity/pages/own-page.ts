/** Layout of pages that need a sign-in: a sign-out link, a result message, then the content. */
import { html, nothing, type Page, type Part } from "#kernel/html";
import type { Asking } from "./asking.ts";
import { pages } from "./layout.ts";
import { badNotice, form, notice } from "./parts.ts";

export type OwnView = {
  readonly asking: Asking;
  /** The message about the last change. */
  readonly message?: string | undefined;
  readonly problem?: string | undefined;
  readonly status?: number;
};
type OwnPage = {
  readonly title: string;
  readonly heading: Part;
  readonly tabs?: Part;
  readonly content: Part;
  readonly signOutPath: string;
  /** Room for two columns. */
  readonly broad?: boolean;
  readonly withScript?: boolean;
};

export function renderOwnPage(view: OwnView, { signOutPath, content, withScript, ...rest }: OwnPage): Page {
  const { asking } = view;
  return pages.renderColumn({
    ...rest,
    status: view.status ?? 200,
    corner: form(asking, {
      action: `${asking.base}${signOutPath}`,
      content: html`<button class="button quiet slim">Sign out</button>`,
    }),
    cookies: asking.guard.cookies,
    protection: { withScript: withScript ?? false },
    content: html`<div class="stack said">${badNotice(view.problem)}${
      view.message === undefined ? nothing : notice(view.message)
    }</div>${content}`,
  });
}
