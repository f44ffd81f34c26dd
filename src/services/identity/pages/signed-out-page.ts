/**
 * The page after a sign-out. It notifies other applications through frames and then redirects, if there is a
 * target.
 */

import { html, type Markup, nothing, type Page } from "#kernel/html";
import { originsOf } from "../clients/index.ts";
import type { SignedOutPage } from "../connect/index.ts";
import { pages } from "./layout.ts";

/** The sandbox prevents the framed page from redirecting the whole window. */
const frame = (address: string): Markup =>
  html`<iframe src="${address}" title="Signing out of another application" sandbox="allow-scripts allow-same-origin allow-forms" hidden></iframe>`;

export const renderSignedOutPage = ({
  clientName,
  frames,
  next,
}: Pick<SignedOutPage, "clientName" | "frames" | "next">): Page =>
  pages.renderSheet({
    title: "Signed out",
    heading: "You are signed out",
    protection: { framedOrigins: originsOf(frames), withScript: next !== undefined },
    content: html`<p>${
      clientName === undefined ? "This browser" : `${clientName} asked for it: this browser`
    } no longer knows who you are.${next === undefined ? " You can close this window." : nothing}</p>${
      next === undefined ? nothing : html`<p><a class="button" href="${next}" data-onward>Continue</a></p>`
    }${frames.map(frame)}`,
  });
