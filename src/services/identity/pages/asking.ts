/**
 * Parts of every page about a pending request: the application, the display, and the targets of its forms.
 */

import { type Framing, html, type Markup, type Page, type Part } from "#kernel/html";
import type { Context } from "#kernel/operation";
import type { ClientCard } from "../clients/index.ts";
import type { Interaction } from "../connect/index.ts";
import { basePathOf, type FormGuard, guardForms } from "../people/index.ts";
import { type Asker, pages, renderAsked } from "./layout.ts";
import { form, initials } from "./parts.ts";

/** Without an interaction: a page that people open by themselves. */
export type Asking = {
  readonly base: string;
  readonly guard: FormGuard;
  readonly interaction: Interaction | undefined;
  /** Certainly or possibly inside a frame of the application's page. */
  readonly framed: boolean;
};

/** Browsers report whether a page is loaded into a frame. Without such a report, a frame is assumed. */
function isFramed({ request }: Pick<Context, "request">, interaction: Interaction | undefined): boolean {
  if (interaction?.display !== "modal" || interaction.frameOrigins.length === 0) return false;
  return request.headers["sec-fetch-dest"] !== "document";
}

export const askingOf = (
  context: Pick<Context, "request" | "ids">,
  interaction: Interaction | undefined,
): Asking => ({
  base: basePathOf(context),
  guard: guardForms(context),
  interaction,
  framed: isFramed(context, interaction),
});

export const pathOf = ({ base, interaction }: Asking, rest: string): string =>
  interaction ? `${base}/interaction/${interaction.id}${rest}` : `${base}${rest}`;

export const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : uri);

const outside = (href: string, text: string): Markup =>
  html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;
/** Terms and policy, where the application names them. */
export function linksOf({ policyUri, tosUri }: ClientCard): Markup | undefined {
  const links = [
    ...(policyUri === undefined ? [] : [outside(policyUri, "Privacy policy")]),
    ...(tosUri === undefined ? [] : [outside(tosUri, "Terms of service")]),
  ];
  return links.length === 0 ? undefined : html`<p class="small row">${links}</p>`;
}

function askerOf(client: ClientCard | undefined): Asker | undefined {
  if (!client) return undefined;
  return {
    name: client.name,
    initials: initials(client.name, "app"),
    host: hostOf(client.uri),
    more: html`<p>One account for every application here. You decide what each of them gets to know, and can take it back at any time.</p>${linksOf(client)}`,
  };
}

export type AskedPage = Pick<Framing, "title" | "heading" | "status" | "cookies"> & {
  readonly content: Part;
  readonly withScript?: boolean;
};

/** Shows it as the application asked, with the protections that way of showing needs. */
export function renderFor(asking: Asking, { content, withScript = false, ...rest }: AskedPage): Page {
  const { interaction, guard } = asking;
  const cookies = [...guard.cookies, ...(rest.cookies ?? [])];
  if (!interaction) return pages.renderSheet({ ...rest, content, cookies, protection: { withScript } });
  const { display, client, answerOrigin, frameOrigins } = interaction;
  return renderAsked({
    ...rest,
    content,
    cookies,
    display,
    asker: askerOf(client),
    framed: asking.framed,
    refuseForm: (button, className) =>
      form(asking, { action: pathOf(asking, "/deny"), content: button, className }),
    protection: {
      withScript,
      formTargets: answerOrigin === undefined ? [] : [answerOrigin],
      frameOrigins: display === "modal" ? frameOrigins : [],
    },
  });
}

/** "Cancel" beside the button that goes on; the modal has its close button for that. */
export const cancelButton = (asking: Asking): Markup | undefined =>
  asking.interaction?.display === "modal" ? undefined : refuseButton(asking, "Cancel");
export function refuseButton(asking: Asking, text: string): Markup | undefined {
  if (!asking.interaction) return undefined;
  return html`<button class="button quiet" formaction="${pathOf(asking, "/deny")}" formnovalidate>${text}</button>`;
}
