/** These pages, and three ways to show one on behalf of an application: page, popup, modal. */
import {
  builtScript,
  type Framing,
  html,
  type Markup,
  mark,
  nothing,
  type Page,
  Pages,
  type Part,
} from "#kernel/html";
import type { Display } from "../connect/index.ts";
import { closeIcon } from "./icons.ts";
import { style } from "./style.ts";

export const pages = new Pages({
  style: { text: style },
  script: builtScript("identity"),
  foot: "Your data stays with this installation of Medley.",
});

/** The data about the application for the three displays. */
export type Asker = {
  readonly name: string;
  readonly initials: Markup;
  readonly host: string;
  /** Shown beside the form on wide screens. */
  readonly more: Part;
};

export type AskedFraming = Framing & {
  readonly display: Display;
  readonly asker: Asker | undefined;
  /** A form that refuses the request; the modal shows it as its close button. */
  readonly refuseForm: ((content: Markup, className: string) => Markup) | undefined;
  /** Whether the modal is framed by another page. */
  readonly framed: boolean;
};

/** On behalf of an application, in the way it asked for. */
export function renderAsked(framing: AskedFraming): Page {
  if (framing.display === "popup") return renderPopup(framing);
  return framing.display === "modal" ? renderModal(framing) : renderSplit(framing);
}

function renderSplit({ heading, content, asker, ...rest }: AskedFraming): Page {
  if (!asker) return pages.renderSheet({ heading, content, ...rest });
  return pages.renderBelowBar({
    ...rest,
    main: html`<main class="middle" id="content"><div class="split">
<aside aria-label="Application">
<div class="asker">${asker.initials}<div><p class="name">${asker.name}</p><p class="muted small break">${asker.host}</p></div></div>
<div class="more stack">${asker.more}</div>
</aside>
<div class="side stack"><h1>${heading}</h1>${content}</div>
</div></main>`,
  });
}

/** Fills a small window: no frame around it, the decision always in reach at the bottom. */
function renderPopup({ heading, content, asker, ...rest }: AskedFraming): Page {
  return pages.render({
    ...rest,
    bodyClass: "display-popup",
    body: html`<main class="compact" id="content">
<div class="top">${mark}${asker ? html`<p><span class="muted">for</span> <span class="name">${asker.name}</span></p>` : "Medley"}</div>
<div class="side stack"><h1>${heading}</h1>${content}</div>
</main>`,
  });
}

/** A dialog over a dimmed ground, or over the application's own page when that shows it in a frame. */
function renderModal({ heading, content, asker, refuseForm, framed, ...rest }: AskedFraming): Page {
  const close = html`<button class="button" name="decision" value="deny" aria-label="Cancel and go back">${closeIcon}</button>`;
  return pages.render({
    ...rest,
    bodyClass: framed ? "display-modal framed" : "display-modal",
    body: html`<div class="shade"></div>
<main class="over" id="content"><div class="dialog stack" role="dialog" aria-modal="true" aria-labelledby="heading">
${refuseForm?.(close, "close") ?? nothing}
<div class="crest">${asker?.initials ?? nothing}${asker ? html`<p class="muted small break">${asker.name}</p>` : nothing}<h1 id="heading">${heading}</h1></div>
${content}
</div></main>`,
  });
}
