/** The account pages: profile, security, connected applications. */

import { html, links, type Markup, nothing, type Page, type Part } from "#kernel/html";
import type { ClientCard } from "../clients/index.ts";
import {
  type BrowserSession,
  type ConsentRow,
  describeAgent,
  type PasskeyRow,
  type Profile,
  type ProfileField,
  type ProfileProblems,
  type ProfileValues,
  type SessionRow,
} from "../people/index.ts";
import { hostOf } from "./asking.ts";
import { keyIcon } from "./icons.ts";
import { type OwnView, renderOwnPage } from "./own-page.ts";
import { type Field, field, form, hidden, initials } from "./parts.ts";
import { scopeSentence } from "./scope-words.ts";

export type AccountTab = "profile" | "security" | "applications";
const tabs: readonly (readonly [tab: AccountTab, path: string, text: string])[] = [
  ["profile", "/account", "Profile"],
  ["security", "/account/security", "Security"],
  ["applications", "/account/applications", "Applications"],
];

export type AccountView = OwnView & { readonly person: Profile };

const nameOf = (person: Profile): string => person.name ?? person.username;

function renderAccount(view: AccountView, tab: AccountTab, content: Part, withScript = false): Page {
  const { asking, person } = view;
  const all = tabs.map(([name, path, text]) => ({
    href: `${asking.base}${path}`,
    text,
    current: name === tab,
  }));
  return renderOwnPage(view, {
    title: "Your account",
    heading: html`<span class="person">${initials(nameOf(person), "person")}<span>${nameOf(person)}</span></span>`,
    tabs: links("Parts of your account", all),
    signOutPath: "/sign-out",
    withScript,
    content,
  });
}

/** Asked for again before whatever could lock the owner out. */
const currentPassword = (name: string, more: Partial<Field>): Markup =>
  field({
    name,
    label: "Current password",
    type: "password",
    autocomplete: "current-password",
    required: true,
    ...more,
  });

/** In the person's time zone, if it is known. */
export function timeText(ms: number, person: Profile): Markup {
  const text = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: person.zoneinfo ?? "UTC",
  }).format(ms);
  return html`${text}${person.zoneinfo === undefined ? " UTC" : nothing}`;
}

type FieldHints = Readonly<Partial<Record<ProfileField, Partial<Field>>>>;
const labels: Readonly<Record<ProfileField, string>> = {
  name: "Name",
  given_name: "Given name",
  family_name: "Family name",
  nickname: "Nickname",
  email: "E-mail",
  phone_number: "Phone number",
  website: "Website",
  picture: "Picture (address)",
  gender: "Gender",
  birthdate: "Date of birth",
  zoneinfo: "Time zone",
  locale: "Language",
  street_address: "Street and number",
  locality: "Town",
  region: "Region",
  postal_code: "Postal code",
  country: "Country",
  latitude: "Latitude",
  longitude: "Longitude",
};
const hints: FieldHints = {
  name: { autocomplete: "name", full: true },
  given_name: { autocomplete: "given-name" },
  family_name: { autocomplete: "family-name" },
  nickname: { autocomplete: "nickname" },
  email: { type: "email", autocomplete: "email" },
  phone_number: { type: "tel", autocomplete: "tel", hint: "With the country code." },
  website: { type: "url", autocomplete: "url" },
  picture: { type: "url", autocomplete: "photo" },
  birthdate: { type: "date", autocomplete: "bday" },
  zoneinfo: { hint: "Such as Europe/Zurich." },
  locale: { hint: "Such as en-GB." },
  street_address: { autocomplete: "street-address", full: true },
  locality: { autocomplete: "address-level2" },
  region: { autocomplete: "address-level1" },
  postal_code: { autocomplete: "postal-code" },
  country: { autocomplete: "country-name" },
  latitude: { inputMode: "decimal" },
  longitude: { inputMode: "decimal" },
};

export type ProfileView = AccountView & {
  readonly values: ProfileValues;
  readonly problems: ProfileProblems;
  readonly passwordProblem?: string | undefined;
};

export function renderProfile(view: ProfileView): Page {
  const { asking, person, values, problems } = view;
  const one = (name: ProfileField) =>
    field({ name, label: labels[name], value: values[name], problem: problems[name], ...hints[name] });
  const group = (title: string, names: readonly ProfileField[]) =>
    html`<details${names.some((name) => problems[name] || values[name]) ? html` open` : nothing}><summary>${title}</summary><div class="fields two">${names.map(one)}</div></details>`;
  const verified = person.emailVerified
    ? html`<span class="tag">confirmed</span>`
    : html`<span class="tag warn">not confirmed</span>`;
  const resend =
    person.email === undefined || person.emailVerified
      ? nothing
      : form(asking, {
          action: `${asking.base}/account/confirm-mail`,
          className: "row small",
          content: html`<span>Your address ${person.email} is not confirmed yet.</span><button class="link-button">Send the message again</button>`,
        });
  const content = html`<div class="card stack">${resend}
${form(asking, {
  action: `${asking.base}/account/profile`,
  className: "stack",
  content: html`<p class="muted">User name: <strong>${person.username}</strong></p>
<div class="fields two">${one("name")}${one("given_name")}${one("family_name")}</div>
<div class="fields two">${field({ name: "email", label: labels.email, value: values.email, problem: problems.email, ...hints.email, aside: person.email === undefined ? undefined : verified })}
${currentPassword("password", { required: false, problem: view.passwordProblem, hint: "Only to change the e-mail address." })}</div>
${group("Contact", ["phone_number", "website"])}
${group("About you", ["nickname", "gender", "birthdate", "picture", "zoneinfo", "locale"])}
${group("Address and location", ["street_address", "postal_code", "locality", "region", "country", "latitude", "longitude"])}
<div class="actions end"><button class="button">Save</button></div>`,
})}</div>`;
  return renderAccount(view, "profile", content);
}

export type SecurityView = AccountView & {
  readonly sessions: readonly SessionRow[];
  readonly current: BrowserSession;
  readonly passkeys: readonly PasskeyRow[];
  readonly problems: Readonly<Record<string, string | undefined>>;
  readonly passkeysPossible: boolean;
};

function passwordCard({ asking, problems }: SecurityView): Markup {
  return html`<section class="card stack" aria-labelledby="password-heading"><h2 id="password-heading">Password</h2>
${form(asking, {
  action: `${asking.base}/account/password`,
  className: "stack",
  content: html`<div class="fields two">
${currentPassword("password", { problem: problems.password })}
${field({ name: "new_password", label: "New password", type: "password", autocomplete: "new-password", required: true, problem: problems.new_password, hint: "At least 10 characters." })}
</div><div class="actions end"><button class="button">Change password</button></div>
<p class="small muted">Your other browsers will be signed out.</p>`,
})}</section>`;
}

function passkeysCard({ asking, person, passkeys, problems, passkeysPossible }: SecurityView): Markup {
  const items = passkeys.map(
    (passkey) =>
      html`<li class="spread"><div><strong>${passkey.name}</strong><p class="muted small">Added ${timeText(passkey.created_at, person)}${
        passkey.used_at === null ? ", not used yet" : html`, last used ${timeText(passkey.used_at, person)}`
      }</p></div>${form(asking, {
        action: `${asking.base}/account/passkeys/remove`,
        content: html`${hidden("credential", passkey.credential_id)}<button class="button danger slim">Remove<span class="unseen"> ${passkey.name}</span></button>`,
      })}</li>`,
  );
  const add = form(asking, {
    action: `${asking.base}/account/passkeys`,
    className: "stack",
    data: { "data-passkey": "create", "data-options": `${asking.base}/account/passkey-options` },
    content: html`${hidden("passkey", "")}<div class="fields two">
${field({ name: "passkey_name", label: "Name of the new passkey", hint: "Such as the device it is on.", maxLength: 60 })}
${currentPassword("passkey_password", { problem: problems.passkey_password })}</div>
<div class="actions end"><button class="button">${keyIcon}Add a passkey</button></div>
<p class="problem" role="alert" data-problem hidden></p>`,
  });
  return html`<section class="card stack" aria-labelledby="passkeys-heading"><h2 id="passkeys-heading">Passkeys</h2>
<p class="muted">Sign in with your finger, face or device PIN instead of a password.</p>
${passkeys.length > 0 ? html`<ul class="list">${items}</ul>` : nothing}
<div data-with-passkeys hidden>${add}</div>
<p class="small muted" data-without-passkeys>${
    passkeysPossible
      ? "This browser offers no passkeys, or its scripts are switched off."
      : "Passkeys need a host name, such as localhost, instead of a network address."
  }</p></section>`;
}

function sessionsCard({ asking, person, sessions, current }: SecurityView): Markup {
  const items = sessions.map((session) => {
    const isThis = session.id === current.id;
    return html`<li class="spread"><div><strong>${describeAgent(session.agent)}</strong> ${isThis ? html`<span class="tag">this browser</span>` : nothing}
<p class="muted small">${session.address} · signed in ${timeText(session.authenticated_at, person)}</p></div>${
      isThis
        ? nothing
        : form(asking, {
            action: `${asking.base}/account/sessions/end`,
            content: html`${hidden("session", session.id)}<button class="button danger slim">Sign out<span class="unseen"> ${describeAgent(session.agent)}</span></button>`,
          })
    }</li>`;
  });
  const others = sessions.length > 1;
  return html`<section class="card stack" aria-labelledby="sessions-heading"><div class="spread"><h2 id="sessions-heading">Where you are signed in</h2>${
    others
      ? form(asking, {
          action: `${asking.base}/account/sessions/end`,
          content: html`${hidden("session", "others")}<button class="link-button small">Sign out everywhere else</button>`,
        })
      : nothing
  }</div><ul class="list">${items}</ul></section>`;
}

function deleteCard({ asking, problems }: SecurityView): Markup {
  return html`<section class="card" aria-labelledby="delete-heading"><details${problems.delete_password ? html` open` : nothing}><summary id="delete-heading">Delete your account</summary>
${form(asking, {
  action: `${asking.base}/account/delete`,
  className: "stack",
  content: html`<p>Everything we know about you is deleted, and applications lose their access. This cannot be undone.</p>
${currentPassword("delete_password", { problem: problems.delete_password })}
<div class="actions end"><button class="button danger">Delete my account</button></div>`,
})}</details></section>`;
}

export const renderSecurity = (view: SecurityView): Page =>
  renderAccount(
    view,
    "security",
    html`${passwordCard(view)}${passkeysCard(view)}${sessionsCard(view)}${deleteCard(view)}`,
    true,
  );

export type ConnectedApplication = { readonly consent: ConsentRow; readonly client: ClientCard };
export function renderApplications(
  view: AccountView & { readonly connected: readonly ConnectedApplication[] },
): Page {
  const { asking, person, connected } = view;
  const items = connected.map(
    ({
      consent,
      client,
    }) => html`<li class="spread"><div class="person">${initials(client.name, "app", true)}<div><strong>${client.name}</strong>
<p class="muted small">${hostOf(client.uri)} · since ${timeText(consent.granted_at, person)}</p>
<p class="small">${scopeSentence(JSON.parse(consent.scopes), person)}</p></div></div>${form(asking, {
      action: `${asking.base}/account/applications/remove`,
      content: html`${hidden("client_id", client.clientId)}<button class="button danger slim">Remove<span class="unseen"> ${client.name}</span></button>`,
    })}</li>`,
  );
  return renderAccount(
    view,
    "applications",
    html`<section class="card stack" aria-labelledby="applications-heading"><h2 id="applications-heading">Connected applications</h2>
<p class="muted">What you have allowed. An application that you remove loses its access at once and has to ask again.</p>
${items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>No application is connected.</p>`}</section>`,
  );
}
