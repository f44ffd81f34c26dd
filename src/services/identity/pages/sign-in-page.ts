/** Sign-in and sign-up. */

import { html, type Markup, nothing, type Page } from "#kernel/html";
import { type Asking, cancelButton, pathOf, renderFor } from "./asking.ts";
import { keyIcon } from "./icons.ts";
import { badNotice, field, form, hidden, notice } from "./parts.ts";

export type SignInView = {
  readonly username?: string | undefined;
  readonly problem?: string | undefined;
  /** Asked for only when a name turned out to exist in several accounts. */
  readonly askAccount?: boolean;
  readonly message?: string | undefined;
  readonly status?: number;
};

/** Shown by the script alone: without it there are no passkeys. */
const passkeyForm = (asking: Asking): Markup =>
  form(asking, {
    action: pathOf(asking, "/sign-in/passkey"),
    className: "stack",
    data: { "data-passkey": "sign-in", "data-options": `${asking.base}/passkey-options` },
    content: html`${hidden("passkey", "")}<button class="button quiet wide">${keyIcon}Use a passkey</button>
<p class="problem" role="alert" data-problem hidden></p>`,
  });

function passwordForm(asking: Asking, view: SignInView): Markup {
  const forgotten = html`<a class="small" href="${asking.base}/forgotten">Forgot it?</a>`;
  return form(asking, {
    action: pathOf(asking, "/sign-in"),
    className: "stack last",
    content: html`<div class="fields">
${field({ name: "username", label: "User name or e-mail", value: view.username, autocomplete: "username", required: true, autofocus: !view.username && !asking.framed, maxLength: 320 })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, autofocus: Boolean(view.username) && !asking.framed, aside: forgotten })}
${view.askAccount ? field({ name: "account", label: "Account number", hint: "Twelve digits. Your name exists in several accounts.", inputMode: "numeric", required: true, maxLength: 12 }) : nothing}
</div>
<div class="settle actions"><button class="button">Sign in</button>${cancelButton(asking)}</div>`,
  });
}

export function renderSignIn(asking: Asking, view: SignInView): Page {
  const { interaction } = asking;
  const again = interaction?.mustReauthenticate === true;
  const passkeys = html`<div class="stack" data-with-passkeys hidden>${
    interaction?.display === "popup"
      ? html`${passkeyForm(asking)}<p class="or">or with your password</p>`
      : html`<p class="or">or</p>${passkeyForm(asking)}`
  }</div>`;
  const signUp = interaction
    ? html`<p class="small">New here? <a href="${pathOf(asking, "/sign-up")}">Create an account</a></p>`
    : html`<p class="small muted">New here? Start from the application you would like to use.</p>`;
  const password = passwordForm(asking, view);
  const body = interaction?.display === "popup" ? [signUp, passkeys, password] : [password, passkeys, signUp];
  return renderFor(asking, {
    status: view.status ?? 200,
    title: interaction?.client ? `Sign in to ${interaction.client.name}` : "Sign in",
    heading: again ? "Confirm that it is you" : "Sign in",
    withScript: true,
    content: html`${badNotice(view.problem)}${view.message === undefined ? nothing : notice(view.message)}${
      again
        ? html`<p class="muted">The application asks you to prove it again, although you are signed in.</p>`
        : nothing
    }${body}`,
  });
}

export type SignUpValues = {
  readonly name?: string;
  readonly username?: string;
  readonly email?: string;
};
export type SignUpView = {
  readonly values: SignUpValues;
  readonly problems: Readonly<Record<string, string | undefined>>;
  readonly problem?: string;
  readonly status?: number;
};

const SIGN_UP_FIELDS = ["name", "username", "email", "password"] as const;
export function renderSignUp(asking: Asking, { values, problems, problem, status = 200 }: SignUpView): Page {
  const first = SIGN_UP_FIELDS.find((name) => problems[name] !== undefined) ?? "name";
  const focus = (name: string) => ({ problem: problems[name], autofocus: name === first && !asking.framed });
  const passwordHint =
    problems.password === undefined ? "At least 10 characters. A few unrelated words are good." : undefined;
  const content = html`${badNotice(problem)}
<p class="small">Already have one? <a href="${pathOf(asking, "")}">Sign in</a></p>
${form(asking, {
  action: pathOf(asking, "/sign-up"),
  className: "stack last",
  content: html`<div class="fields">
${field({ name: "name", label: "Your name", value: values.name, autocomplete: "name", optional: true, maxLength: 200, ...focus("name") })}
${field({ name: "username", label: "User name", value: values.username, autocomplete: "username", required: true, maxLength: 64, ...focus("username") })}
${field({ name: "email", label: "E-mail", type: "email", value: values.email, autocomplete: "email", required: true, maxLength: 254, ...focus("email"), hint: "For a forgotten password. We will send a message to confirm it." })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", required: true, ...focus("password"), hint: passwordHint })}
</div>
<div class="settle actions"><button class="button">Create account</button>${cancelButton(asking)}</div>`,
})}`;
  return renderFor(asking, { status, title: "Create an account", heading: "Create an account", content });
}
