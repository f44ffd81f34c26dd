/** Forgotten passwords and addresses to confirm. */

import { html, type Markup, nothing, type Page } from "#kernel/html";
import { type Asking, renderFor } from "./asking.ts";
import { badNotice, field, form, hidden } from "./parts.ts";

const backLink = (asking: Asking) =>
  html`<p class="small"><a href="${asking.base}/sign-in">Back to sign-in</a></p>`;

export const renderForgotten = (
  asking: Asking,
  view: { problem?: string; status?: number; name?: string },
): Page =>
  renderFor(asking, {
    status: view.status ?? 200,
    title: "Forgotten password",
    heading: "Forgot your password?",
    content: html`${badNotice(view.problem)}
<p class="muted">Tell us your user name or e-mail address. If we know you, a message with the next step is on its way.</p>
${form(asking, {
  action: `${asking.base}/forgotten`,
  className: "stack",
  content: html`${field({ name: "username", label: "User name or e-mail", value: view.name, autocomplete: "username", required: true, autofocus: true, maxLength: 320 })}
<button class="button wide">Send the message</button>`,
})}${backLink(asking)}`,
  });

/** The same for known and unknown people. */
export const renderMailSent = (asking: Asking): Page =>
  renderFor(asking, {
    title: "Look into your mailbox",
    heading: "Look into your mailbox",
    content: html`<p>If we know you, a message is on its way. It works for one hour.</p>
<p class="small"><a href="${asking.base}/reset">It has a code instead of a link</a></p>${backLink(asking)}`,
  });

/** Pages that a mail leads to, by a link or by a code that it holds. */
type TokenView = {
  readonly token: string;
  /** The person did not come by a link, so the page asks for the code. */
  readonly askToken: boolean;
  readonly problem?: string;
  readonly status?: number;
};
type TokenForm = {
  readonly action: string;
  readonly title: string;
  readonly heading: string;
  readonly fields: Markup;
  readonly button: string;
};
function renderTokenForm(asking: Asking, view: TokenView, wanted: TokenForm): Page {
  const code = view.askToken
    ? field({
        name: "token",
        label: "Code from the message",
        value: view.token,
        autocomplete: "one-time-code",
        required: true,
        autofocus: true,
        maxLength: 64,
      })
    : hidden("token", view.token);
  return renderFor(asking, {
    status: view.status ?? 200,
    title: wanted.title,
    heading: wanted.heading,
    content: html`${badNotice(view.problem)}
${form(asking, {
  action: `${asking.base}${wanted.action}`,
  className: "stack",
  content: html`${code}${wanted.fields}<button class="button wide">${wanted.button}</button>`,
})}`,
  });
}

export type ResetView = TokenView & {
  readonly username?: string | undefined;
  readonly passwordProblem?: string | undefined;
};
export const renderReset = (asking: Asking, view: ResetView): Page =>
  renderTokenForm(asking, view, {
    action: "/reset",
    title: "Choose a new password",
    heading: "Choose a new password",
    fields: html`${view.username === undefined ? nothing : html`<input class="unseen" type="text" name="username" autocomplete="username" value="${view.username}" tabindex="-1" aria-hidden="true" readonly>`}
${field({ name: "password", label: "New password", type: "password", autocomplete: "new-password", required: true, problem: view.passwordProblem, hint: "At least 10 characters. Everywhere else you will be signed out." })}`,
    button: "Set the password",
  });

export const renderResetDone = (asking: Asking): Page =>
  renderFor(asking, {
    title: "Password changed",
    heading: "Your password is changed",
    content: html`<p>You are signed out everywhere. Go on where you were, or sign in here.</p>
<p><a class="button wide" href="${asking.base}/sign-in">Sign in</a></p>`,
  });

/** A button, because programs that look into mails open every link. */
export const renderVerify = (asking: Asking, view: TokenView): Page =>
  renderTokenForm(asking, view, {
    action: "/verify",
    title: "Confirm your address",
    heading: "Confirm your e-mail address",
    fields: nothing,
    button: "Confirm it",
  });

export const renderVerified = (asking: Asking): Page =>
  renderFor(asking, {
    title: "Address confirmed",
    heading: "Your address is confirmed",
    content: html`<p>Thank you. You can use it to sign in from now on.</p>
<p><a class="button wide" href="${asking.base}/account">Go to your account</a></p>`,
  });
