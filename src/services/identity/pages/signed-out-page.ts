/** After a sign-out that leads nowhere else. */
import type { RenderSignedOutPage } from "../seam.ts";
import { html } from "./html.ts";
import { renderSheet } from "./layout.ts";

export const renderSignedOutPage: RenderSignedOutPage = (clientName) =>
  renderSheet({
    title: "Signed out",
    heading: "You are signed out",
    content: html`<p>${
      clientName === undefined ? "This browser" : `${clientName} asked for it: this browser`
    } no longer knows who you are. You can close this window.</p>`,
  });
