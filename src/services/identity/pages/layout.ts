/** Pages as a whole: three ways to show one (page, popup, modal), and the headers that protect it. */
import { createHash } from "node:crypto";
import type { Display } from "../connect/index.ts";
import { html, Markup, nothing, type Part } from "./html.ts";
import { closeIcon, mark } from "./icons.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const STYLE_HASH = hashOf(style);
const SCRIPT_HASH = hashOf(script);
const styleTag = new Markup(`<style>${style}</style>`);
const scriptTag = new Markup(`<script>${script}</script>`);

/** A page ready to be answered. */
export type Page = {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
};

export type Protection = {
  /** Origins that forms may lead to besides our own, through redirects. */
  readonly formTargets?: readonly string[];
  /** Origins that may show the page in a frame. */
  readonly frameOrigins?: readonly string[];
  /** Origins whose pages this page shows in frames of its own. */
  readonly framedOrigins?: readonly string[];
  readonly withScript?: boolean;
};

/** Only characters that cannot end the directive: whatever else claims to be an origin is left out. */
const isSource = (text: string): boolean => /^[a-z][a-z0-9+.-]*:(?:\/\/[A-Za-z0-9.:[\]-]+)?$/.test(text);

export function policyOf(protection: Protection): string {
  const { formTargets = [], frameOrigins = [], framedOrigins = [], withScript = false } = protection;
  const framing = frameOrigins.filter(isSource);
  const framed = framedOrigins.filter(isSource);
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    ...(withScript ? [`script-src ${SCRIPT_HASH}`, "connect-src 'self'"] : []),
    ...(framed.length > 0 ? [`frame-src ${framed.join(" ")}`] : []),
    `form-action ${["'self'", ...formTargets.filter(isSource)].join(" ")}`,
    `frame-ancestors ${framing.length > 0 ? framing.join(" ") : "'none'"}`,
    "base-uri 'none'",
  ].join("; ");
}

/** Nothing of a page is kept, guessed at, told to others or shown inside them. */
function headersOf(protection: Protection, cookies: readonly string[]): Page["headers"] {
  return {
    "cache-control": "no-store",
    "content-security-policy": policyOf(protection),
    // Not `no-referrer`: that would hide the origin of our own forms from ourselves.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
    ...((protection.frameOrigins ?? []).length === 0 && { "x-frame-options": "DENY" }),
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  };
}

export type PageParts = {
  readonly status?: number;
  readonly title: string;
  /** Everything inside the body. */
  readonly body: Markup;
  readonly bodyClass: string;
  readonly cookies?: readonly string[];
  readonly protection?: Protection;
};

export function renderPage({
  status = 200,
  title,
  body,
  bodyClass,
  cookies = [],
  protection = {},
}: PageParts): Page {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${styleTag}
</head>
<body class="${bodyClass}">
${body}
${protection.withScript ? scriptTag : nothing}
</body>
</html>
`;
  return { status, html: text.text, headers: headersOf(protection, cookies) };
}

export const brand = html`<span class="brand">${mark}Medley</span>`;
const skipLink = html`<a class="skip" href="#content">Skip to content</a>`;
const foot = html`<footer class="foot">Your data stays with this installation of Medley.</footer>`;

export type Framing = Omit<PageParts, "body" | "bodyClass"> & {
  readonly heading: Part;
  readonly content: Part;
};

/** One sheet in the middle: for everything that is not about an application. */
export const renderSheet = ({ heading, content, ...rest }: Framing): Page =>
  renderPage({
    ...rest,
    bodyClass: "display-page",
    body: html`${skipLink}
<header class="bar">${brand}</header>
<main class="middle" id="content"><div class="sheet stack"><h1>${heading}</h1>${content}</div></main>
${foot}`,
  });

/** What the three displays say about the application that asks. */
export type Asker = {
  readonly name: string;
  readonly initials: Markup;
  readonly host: string;
  /** Shown beside the form where there is room. */
  readonly more: Part;
};

export type AskedFraming = Framing & {
  readonly display: Display;
  readonly asker: Asker | undefined;
  /** A form that refuses the request; the modal shows it as its close button. */
  readonly refuseForm: ((content: Markup, className: string) => Markup) | undefined;
  /** The modal stands inside somebody else's page. */
  readonly framed: boolean;
};

/** On behalf of an application, in the way it asked for. */
export function renderAsked(framing: AskedFraming): Page {
  if (framing.display === "popup") return renderPopup(framing);
  return framing.display === "modal" ? renderModal(framing) : renderSplit(framing);
}

function renderSplit({ heading, content, asker, ...rest }: AskedFraming): Page {
  if (!asker) return renderSheet({ heading, content, ...rest });
  return renderPage({
    ...rest,
    bodyClass: "display-page",
    body: html`${skipLink}
<header class="bar">${brand}</header>
<main class="middle" id="content"><div class="split">
<aside aria-label="Application">
<div class="asker">${asker.initials}<div><p class="name">${asker.name}</p><p class="muted small break">${asker.host}</p></div></div>
<div class="more stack">${asker.more}</div>
</aside>
<div class="side stack"><h1>${heading}</h1>${content}</div>
</div></main>
${foot}`,
  });
}

/** Fills a small window: no frame around it, the decision always in reach at the bottom. */
function renderPopup({ heading, content, asker, ...rest }: AskedFraming): Page {
  return renderPage({
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
  return renderPage({
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

export type ColumnFraming = Framing & {
  readonly tabs: readonly { readonly href: string; readonly text: string; readonly current: boolean }[];
  readonly tabsLabel: string;
  readonly corner: Part;
  readonly broad?: boolean;
};

/** Account and dashboard: a column of cards below tabs. */
export function renderColumn({
  heading,
  content,
  tabs,
  tabsLabel,
  corner,
  broad,
  ...rest
}: ColumnFraming): Page {
  const links = tabs.map(
    ({ href, text, current }) =>
      html`<a href="${href}"${current ? new Markup(' aria-current="page"') : nothing}>${text}</a>`,
  );
  return renderPage({
    ...rest,
    bodyClass: "display-page",
    body: html`${skipLink}
<header class="bar">${brand}${corner}</header>
<main class="column${broad ? " broad" : ""}" id="content">
<h1>${heading}</h1>
${tabs.length > 0 ? html`<nav class="tabs" aria-label="${tabsLabel}">${links}</nav>` : nothing}
${content}
</main>
${foot}`,
  });
}
