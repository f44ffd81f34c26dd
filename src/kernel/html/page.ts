/** Whole pages: the common frame and the protective headers. */
import { createHash } from "node:crypto";
import { mark } from "./drawings.ts";
import { html, Markup, nothing, type Part } from "./markup.ts";

/** A page that is ready to be sent. */
export type Page = {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
};

/** Inline, allowed by its hash, or loaded from our own address. */
export type Source =
  | { readonly text: string }
  /** `isApp`: replaces the content of the page, which is then not drawn before. */
  | { readonly address: string; readonly isApp?: boolean };

/** The common parts of a group of pages. */
export type Site = {
  readonly style: Source;
  readonly script?: Source;
  /** The address of the icon beside the title. */
  readonly icon?: string;
  /** The link of the logo; none if absent. */
  readonly home?: string;
  readonly foot?: Part;
  /** For tools that the console shows in its own frame: a script that runs before the page is drawn. */
  readonly frameScript?: { readonly text: string };
};

export type Protection = {
  /** Other origins that forms may lead to through redirects. */
  readonly formTargets?: readonly string[];
  /** Origins that may show the page in a frame. */
  readonly frameOrigins?: readonly string[];
  /** Origins whose pages this page shows in frames. */
  readonly framedOrigins?: readonly string[];
  /** Whether this page shows pages of our own origin in a frame. */
  readonly showsTools?: boolean;
  readonly withScript?: boolean;
  /** Sources of pictures besides our own origin, such as `https:`. */
  readonly pictureSources?: readonly string[];
  /** Where sound may come from. */
  readonly soundSources?: readonly string[];
};

export type PageParts = {
  readonly status?: number;
  readonly title: string;
  /** Everything inside the body. */
  readonly body: Markup;
  readonly bodyClass?: string;
  readonly cookies?: readonly string[];
  /** For a temporary refusal: how long to wait. */
  readonly retryAfterSeconds?: number | undefined;
  readonly protection?: Protection;
};

type BarFraming = Omit<PageParts, "body" | "bodyClass"> & { readonly main: Markup; readonly corner?: Part };
export type Framing = Omit<PageParts, "body" | "bodyClass"> & {
  readonly heading: Part;
  readonly content: Part;
};
type ColumnFraming = Framing & {
  /** Made by `links`. */
  readonly tabs?: Part;
  readonly corner?: Part;
  readonly broad?: boolean;
};
export type Link = { readonly href: string; readonly text: string; readonly current: boolean };

/** Only characters that cannot end the directive. Any other text is dropped. */
const isSource = (text: string): boolean => /^[a-z][a-z0-9+.-]*:(?:\/\/[A-Za-z0-9.:[\]-]+)?$/.test(text);

const allowanceOf = (source: Source): string =>
  "address" in source ? "'self'" : `'sha256-${createHash("sha256").update(source.text).digest("base64")}'`;
const styleTag = (source: Source): Markup =>
  "address" in source
    ? html`<link rel="stylesheet" href="${source.address}">`
    : new Markup(`<style>${source.text}</style>`);
const scriptTag = (source: Source): Markup =>
  "address" in source
    ? html`<script src="${source.address}" ${new Markup(source.isApp ? 'type="module" blocking="render"' : "defer")}></script>`
    : new Markup(`<script>${source.text}</script>`);

const skipLink = html`<a class="skip" href="#content">Skip to content</a>`;

/** A row of links, with the current one marked. */
export const links = (label: string, all: readonly Link[]): Markup =>
  html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ href, text, current }) =>
      html`<a href="${href}"${current ? html` aria-current="page"` : nothing}>${text}</a>`,
  )}</nav>`;

/** A page is not cached, not sniffed, sends no referrer to others, and is not framed by them. */
function headersOf(
  policy: string,
  { protection = {}, cookies = [], retryAfterSeconds }: PageParts,
  isTool: boolean,
): Page["headers"] {
  return {
    "cache-control": "no-store",
    "content-security-policy": policy,
    // Not `no-referrer`: that would hide the origin of our own forms from us.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
    ...((protection.frameOrigins ?? []).length === 0 && {
      "x-frame-options": isTool ? "SAMEORIGIN" : "DENY",
    }),
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  };
}

/** The pages of one site. Hashes and tags are made once. */
export class Pages {
  readonly #site: Site;
  readonly #styleAllowance: string;
  readonly #scriptAllowance: string;
  readonly #head: Markup;
  readonly #script: Markup;
  readonly #app: Markup;
  readonly #brand: Markup;
  readonly #foot: Markup;
  /** What the foot says, in a frame: above the content, because what comes after it is drawn later. */
  readonly #framedFoot: Markup;

  constructor(site: Site) {
    const { style, script, icon, home, foot, frameScript } = site;
    this.#site = site;
    this.#styleAllowance = allowanceOf(style);
    const scripts = [script, frameScript].filter((one) => one !== undefined);
    this.#scriptAllowance = scripts.length > 0 ? scripts.map(allowanceOf).join(" ") : "'none'";
    this.#head = html`${icon === undefined ? nothing : html`<link rel="icon" href="${icon}">`}${frameScript ? scriptTag(frameScript) : nothing}${styleTag(style)}`;
    const isApp = script !== undefined && "isApp" in script && script.isApp === true;
    this.#app = isApp ? scriptTag(script) : nothing;
    this.#script = script && !isApp ? scriptTag(script) : nothing;
    this.#brand =
      home === undefined
        ? html`<span class="brand">${mark}Medley</span>`
        : html`<a class="brand" href="${home}">${mark}Medley</a>`;
    this.#foot = foot === undefined ? nothing : html`<footer class="foot">${foot}</footer>`;
    this.#framedFoot =
      foot === undefined || !frameScript ? nothing : html`<p class="framed-foot">${foot}</p>\n`;
  }

  policyOf(protection: Protection): string {
    const { formTargets = [], frameOrigins = [], framedOrigins = [], withScript = false } = protection;
    const { showsTools = false, pictureSources = [], soundSources = [] } = protection;
    const framing = [...(this.#site.frameScript ? ["'self'"] : []), ...frameOrigins.filter(isSource)];
    const framed = [...(showsTools ? ["'self'"] : []), ...framedOrigins.filter(isSource)];
    const pictures = [
      ...(this.#site.icon === undefined ? [] : ["'self'"]),
      ...pictureSources.filter(isSource),
    ];
    const sounds = soundSources.filter(isSource);
    return [
      "default-src 'none'",
      `style-src ${this.#styleAllowance}`,
      ...(withScript ? [`script-src ${this.#scriptAllowance}`, "connect-src 'self'"] : []),
      ...(pictures.length > 0 ? [`img-src ${pictures.join(" ")}`] : []),
      ...(sounds.length > 0 ? [`media-src ${sounds.join(" ")}`] : []),
      ...(framed.length > 0 ? [`frame-src ${framed.join(" ")}`] : []),
      `form-action ${["'self'", ...formTargets.filter(isSource)].join(" ")}`,
      `frame-ancestors ${framing.length > 0 ? framing.join(" ") : "'none'"}`,
      "base-uri 'none'",
    ].join("; ");
  }

  render(parts: PageParts): Page {
    const { status = 200, title, body, bodyClass = "display-page", protection = {} } = parts;
    const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${this.#head}
${protection.withScript ? this.#app : nothing}
</head>
<body class="${bodyClass}">
${body}
${protection.withScript ? this.#script : nothing}
</body>
</html>
`;
    return {
      status,
      html: text.text,
      headers: headersOf(this.policyOf(protection), parts, this.#site.frameScript !== undefined),
    };
  }

  /** The bar with the logo above the content. `corner`: at the end of the bar, such as a menu or a button. */
  renderBelowBar({ main, corner, ...rest }: BarFraming): Page {
    return this.render({
      ...rest,
      body: html`${skipLink}
<header class="bar">${this.#brand}${corner}</header>
${main}
${this.#foot}`,
    });
  }

  /** One sheet in the middle. */
  renderSheet({ heading, content, ...rest }: Framing): Page {
    return this.renderBelowBar({
      ...rest,
      main: html`<main class="middle" id="content"><div class="sheet stack"><h1>${heading}</h1>${content}</div></main>`,
    });
  }

  /** A column of cards, below tabs where there are any. */
  renderColumn({ heading, content, tabs, broad = false, ...rest }: ColumnFraming): Page {
    return this.renderBelowBar({
      ...rest,
      main: html`<main class="column${broad ? " broad" : ""}" id="content">
${this.#framedFoot}<h1>${heading}</h1>
${tabs}
${content}
</main>`,
    });
  }
}
