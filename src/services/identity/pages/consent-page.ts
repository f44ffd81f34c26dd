/** Pages for decisions of a signed-in person: consent, choice of account, sign-out. */

import { html, type Markup, nothing, type Page } from "#kernel/html";
import type { Profile } from "../people/index.ts";
import { type Asking, cancelButton, hostOf, linksOf, pathOf, refuseButton, renderFor } from "./asking.ts";
import { badNotice, field, form, initials, notice } from "./parts.ts";
import { scopeList } from "./scope-words.ts";

const nameOf = (person: Profile): string => person.name ?? person.username;
const personLine = (person: Profile): Markup =>
  html`<div class="person">${initials(nameOf(person), "person", true)}<div><strong>${nameOf(person)}</strong><p class="muted">${
    person.email ?? person.username
  }</p></div></div>`;

const switchForm = (asking: Asking): Markup =>
  form(asking, {
    action: pathOf(asking, "/switch"),
    content: html`<button class="link-button small">Not you?</button>`,
  });

export type ConsentView = {
  readonly person: Profile;
  /** Inside a frame a click could be stolen (clickjacking), so the password is required too. */
  readonly askPassword: boolean;
  readonly problem?: string;
  readonly status?: number;
};

export function renderConsent(asking: Asking, view: ConsentView): Page {
  const { interaction } = asking;
  const client = interaction?.client;
  const name = client?.name ?? "The application";
  const destination = interaction?.answerOrigin;
  const testMode = client?.testMode
    ? notice(
        html`<p><strong>${name} is in test mode.</strong> Only go on if you are testing it${
          destination === undefined ? nothing : html`; you will be sent to ${hostOf(destination)}`
        }.</p>`,
        "warn",
      )
    : nothing;
  const password = view.askPassword
    ? field({
        name: "password",
        label: "Your password",
        type: "password",
        autocomplete: "current-password",
        required: true,
        hint: "Asked for because another site shows you this dialog.",
      })
    : nothing;
  const content = html`${badNotice(view.problem)}${testMode}
<div class="spread">${personLine(view.person)}${switchForm(asking)}</div>
<p>${name} asks for:</p>
${scopeList(interaction?.scopes ?? [], view.person)}
${interaction?.display === "page" || !client ? nothing : linksOf(client)}
${form(asking, {
  action: pathOf(asking, "/consent"),
  className: "stack last",
  content: html`${password}<div class="settle actions even"><button class="button" name="decision" value="allow">Allow</button>${refuseButton(asking, "Don’t allow")}</div>`,
})}
${interaction?.display === "page" ? html`<p class="small muted">You can take this back under connected applications in your account.</p>` : nothing}`;
  return renderFor(asking, {
    status: view.status ?? 200,
    title: `Allow ${name}?`,
    heading: interaction?.display === "modal" ? "Continue?" : `Continue to ${name}?`,
    content,
  });
}

export const renderChooseAccount = (asking: Asking, person: Profile): Page =>
  renderFor(asking, {
    title: "Choose an account",
    heading: "Who is it?",
    content: html`${form(asking, {
      action: pathOf(asking, "/choose"),
      className: "stack",
      content: html`${personLine(person)}<div class="actions"><button class="button">Continue as ${nameOf(person)}</button>${cancelButton(asking)}</div>`,
    })}
<p class="small"><a href="${pathOf(asking, "/sign-in")}">Use another account</a></p>`,
  });

/** `nobody`: there is no session. The application gets the same answer. */
export const renderSignOut = (asking: Asking, person: Profile | undefined): Page =>
  renderFor(asking, {
    title: "Sign out",
    heading: "Sign out?",
    content: html`${person ? personLine(person) : nothing}
<p>${asking.interaction?.client ? `${asking.interaction.client.name} asks to sign you out here as well.` : "You are about to sign out of Medley in this browser."}</p>
${form(asking, {
  action: pathOf(asking, "/sign-out"),
  className: "last",
  content: html`<div class="settle actions"><button class="button" name="decision" value="sign-out">Sign out</button><button class="button quiet" name="decision" value="stay">Stay signed in</button></div>`,
})}`,
  });
