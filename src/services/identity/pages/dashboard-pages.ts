/** The owner's dashboard: clients of an account. */

import { html, type Markup, nothing, type Page, type Part } from "#kernel/html";
import { type ClientAnswer, RESPONSE_TYPES } from "../clients/index.ts";
import { type Asking, hostOf, renderFor } from "./asking.ts";
import { type ClientField, type ClientProblem, type ClientValues, valuesOf } from "./client-form.ts";
import { type OwnView, renderOwnPage } from "./own-page.ts";
import { OWNER_SIGN_IN_PATH } from "./owner.ts";
import { area, badNotice, checkbox, copyButton, field, form, initials, select } from "./parts.ts";
import { snippetsFor } from "./snippets.ts";

export const renderOwnerSignIn = (asking: Asking, problem: string | undefined, status = 200): Page =>
  renderFor(asking, {
    status,
    title: "Dashboard",
    heading: "Sign in to the dashboard",
    content: html`${badNotice(problem)}
<p class="muted">For owners of an account: with its user name and password, or with an access token. Both are in the credentials file.</p>
${form(asking, {
  action: `${asking.base}${OWNER_SIGN_IN_PATH}`,
  className: "stack",
  content: html`<div class="fields">
${field({ name: "username", label: "User name", autocomplete: "username", maxLength: 128, autofocus: true })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
</div>
<p class="or">or</p>
${field({ name: "token", label: "Access token", type: "password", autocomplete: "off" })}
<button class="button wide">Sign in</button>`,
})}
<p class="small muted">Looking for your own account? <a href="${asking.base}/account">It is here</a>.</p>`,
  });

export type DashboardView = OwnView & { readonly account: string };

const renderDashboard = (
  view: DashboardView,
  page: { readonly title: string; readonly heading: Part; readonly content: Part; readonly broad?: boolean },
): Page => renderOwnPage(view, { ...page, signOutPath: "/dashboard/sign-out", withScript: true });

const clientPath = (asking: Asking, clientId: string, rest = ""): string =>
  `${asking.base}/dashboard/clients/${encodeURIComponent(clientId)}${rest}`;
const testTag = (client: ClientAnswer) =>
  client.test_mode ? html` <span class="tag warn">test mode</span>` : nothing;

export function renderClients(view: DashboardView, clients: readonly ClientAnswer[]): Page {
  const { asking } = view;
  const items = clients.map(
    (client) =>
      html`<li><a class="person" href="${clientPath(asking, client.client_id)}">${initials(client.client_name, "app", true)}<span><strong>${client.client_name}${testTag(client)}</strong><span class="muted small break">${hostOf(client.client_uri)} · <code>${client.client_id}</code></span></span></a></li>`,
  );
  return renderDashboard(view, {
    title: "Applications",
    heading: "Applications",
    content: html`<div class="card stack"><div class="spread"><p class="muted">Applications of account ${view.account} whose people sign in here.</p>
<a class="button" href="${asking.base}/dashboard/clients/new">New application</a></div>
${items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>None yet. Register the first one, and people can sign in to it a minute later.</p>`}</div>`,
  });
}

const responseTypeWords: Readonly<Record<string, string>> = {
  code: "code (servers and, with PKCE, everything else)",
};

function moreFields(
  one: (name: ClientField, label: string, hint?: string) => Markup,
  values: ClientValues,
  lines: typeof one,
  problemAt: (name: string) => string | undefined,
): Markup {
  const required = (name: ClientField, label: string) =>
    checkbox({ name, value: "on", label, checked: values[name] === "on" });
  return html`<details><summary>More</summary><div class="fields two">
${lines("post_logout_redirect_uris", "Addresses after sign-out", "One per line.")}
${lines("contacts", "Contacts", "E-mail addresses, one per line.")}
${one("logo_uri", "Logo (address)")}
${one("policy_uri", "Privacy policy (address)")}
${one("tos_uri", "Terms of service (address)")}
${one("default_scopes", "Scopes when none are asked for", "Such as openid email.")}
${one("default_max_age", "Longest time since sign-in, in seconds")}
${one("scope", "Permissions its tokens may carry", "Such as braille:*. People are asked for them.")}
${select({
  name: "id_token_signed_response_alg",
  label: "Signature of ID tokens",
  value: values.id_token_signed_response_alg,
  options: [
    ["RS256", "RS256"],
    ["ES256", "ES256"],
    ["EdDSA", "EdDSA"],
    ["HS256", "HS256 (by the client secret)"],
  ],
})}
${one("backchannel_logout_uri", "Sign-out, told to the server (address)", "Gets a logout token by POST when somebody signs out.")}
${one("frontchannel_logout_uri", "Sign-out, told in the browser (address)", "Shown in a frame; of the same origin as a redirect.")}
${select({
  name: "subject_type",
  label: "Names for people",
  value: values.subject_type ?? "public",
  problem: problemAt("subject_type"),
  options: [
    ["public", "The same for all applications"],
    ["pairwise", "Its own, which no other application knows"],
  ],
})}
${one("sector_identifier_uri", "Sector (address)", "A JSON list of redirects, for applications that share their names for people.")}
</div>
${required("backchannel_logout_session_required", "Its server must be told which session ended")}
${required("frontchannel_logout_session_required", "Its page must be told which session ended")}
</details>`;
}

function clientForm(
  asking: Asking,
  action: string,
  button: string,
  { values, problem }: { values: ClientValues; problem: ClientProblem | undefined },
): Markup {
  const problemAt = (name: string) => (problem?.field === name ? problem.text : undefined);
  const one = (name: ClientField, label: string, hint?: string) =>
    field({ name, label, value: values[name], problem: problemAt(name), hint });
  const lines = (name: ClientField, label: string, hint?: string) =>
    area({ name, label, value: values[name], problem: problemAt(name), hint });
  const types = RESPONSE_TYPES.map((type) =>
    checkbox({
      name: "response_types",
      value: type,
      label: responseTypeWords[type] ?? type,
      checked: values.response_types?.includes(type) ?? false,
    }),
  );
  return form(asking, {
    action,
    className: "stack",
    content: html`<div class="fields">
${field({ name: "client_name", label: "Name", value: values.client_name, problem: problemAt("client_name"), required: true, maxLength: 200, hint: "People see it when they sign in." })}
${field({ name: "client_uri", label: "Home page", type: "url", value: values.client_uri, problem: problemAt("client_uri"), required: true, maxLength: 2048 })}
${lines("redirect_uris", "Redirect addresses", "Where people come back to, exactly as the application sends them. One per line.")}
</div>
<div class="fields two">
${select({
  name: "application_type",
  label: "Kind",
  value: values.application_type,
  options: [
    ["web", "Web application"],
    ["native", "Native application"],
  ],
})}
${select({
  name: "token_endpoint_auth_method",
  label: "Client secret",
  value: values.token_endpoint_auth_method ?? "",
  problem: problemAt("token_endpoint_auth_method"),
  options: [
    ["", "Sent either way"],
    ["client_secret_basic", "By HTTP Basic only"],
    ["client_secret_post", "In the form only"],
    ["none", "None: a public client"],
  ],
})}
</div>
<fieldset class="tight"><legend>Response types</legend>${types}${
      problemAt("response_types") ? html`<p class="problem">${problemAt("response_types")}</p>` : nothing
    }</fieldset>
${checkbox({ name: "test_mode", value: "on", checked: values.test_mode === "on", label: html`Test mode: redirect addresses need not be registered` })}
${problemAt("client_secret") ? field({ name: "client_secret", label: "Present client secret", type: "password", autocomplete: "off", problem: problemAt("client_secret") }) : nothing}
${moreFields(one, values, lines, problemAt)}
<div class="actions end"><button class="button">${button}</button></div>`,
  });
}

export type ClientFormView = DashboardView & {
  readonly values: ClientValues;
  readonly clientProblem?: ClientProblem | undefined;
};
const problemText = (problem: ClientProblem | undefined): string | undefined =>
  problem === undefined ? undefined : `Not saved. ${problem.text}`;

export const renderNewClient = (view: ClientFormView): Page =>
  renderDashboard(
    { ...view, problem: view.problem ?? problemText(view.clientProblem) },
    {
      title: "New application",
      heading: "New application",
      content: html`<div class="card stack">${clientForm(
        view.asking,
        `${view.asking.base}/dashboard/clients`,
        "Register",
        {
          values: view.values,
          problem: view.clientProblem,
        },
      )}</div><p class="small back"><a href="${view.asking.base}/dashboard">Back to the list</a></p>`,
    },
  );

const secretLine = (id: string, label: string, value: string): Markup =>
  html`<div><p class="label" id="${id}-label">${label}</p><div class="secret"><code id="${id}" aria-labelledby="${id}-label">${value}</code>${copyButton(id, label)}</div></div>`;

/** Shown only once, right after creation: secrets cannot be displayed again. */
function secretsCard(client: ClientAnswer): Markup {
  if (client.client_secret === undefined && client.registration_access_token === undefined) return nothing;
  return html`<section class="card stack" aria-labelledby="secrets-heading"><h2 id="secrets-heading">Keep these now</h2>
<p class="muted">They are shown this once. Whoever has them can act as the application.</p>
${client.client_secret === undefined ? nothing : secretLine("client-secret", "Client secret", client.client_secret)}
${
  client.registration_access_token === undefined
    ? nothing
    : secretLine("registration-token", "Registration token", client.registration_access_token)
}</section>`;
}

function factsCard(client: ClientAnswer, issuer: string): Markup {
  return html`<section class="card stack" aria-labelledby="facts-heading"><h2 id="facts-heading">What the application needs</h2>
${secretLine("issuer", "Issuer", issuer)}${secretLine("client-id", "Client ID", client.client_id)}</section>`;
}

function snippetsCard(client: ClientAnswer, issuer: string): Markup {
  const snippets = snippetsFor({
    issuer,
    clientId: client.client_id,
    redirectUri: client.redirect_uris[0] ?? "https://your-application.example/signed-in",
    scopes: client.default_scopes.length > 0 ? client.default_scopes.join(" ") : "openid profile email",
    hasSecret: client.token_endpoint_auth_method !== "none",
  });
  return html`<section class="card tight" aria-labelledby="snippets-heading"><h2 id="snippets-heading">Use it with</h2>
${snippets.map(
  ({ id, title, text }, index) =>
    html`<details${index === 0 ? html` open` : nothing}><summary>${title}</summary><div class="snippet">${copyButton(`snippet-${id}`, title)}<pre id="snippet-${id}" tabindex="0" aria-label="${title}">${text}</pre></div></details>`,
)}</section>`;
}

function changesCard(asking: Asking, client: ClientAnswer): Markup {
  const rotate =
    client.token_endpoint_auth_method === "none"
      ? nothing
      : html`<details><summary>New client secret</summary>${form(asking, {
          action: clientPath(asking, client.client_id, "/rotate"),
          className: "stack",
          content: html`<p>The present secret stops working at once.</p><div class="actions end"><button class="button">Make a new secret</button></div>`,
        })}</details>`;
  return html`<section class="card tight" aria-label="Secret and deletion">${rotate}<details><summary>Delete</summary>${form(
    asking,
    {
      action: clientPath(asking, client.client_id, "/delete"),
      className: "stack",
      content: html`<p>Nobody can sign in to ${client.client_name} any more, and everything issued to it stops working. This cannot be undone.</p><div class="actions end"><button class="button danger">Delete ${client.client_name}</button></div>`,
    },
  )}</details></section>`;
}

export type ClientView = DashboardView & {
  readonly client: ClientAnswer;
  readonly issuer: string;
  readonly values?: ClientValues;
  readonly clientProblem?: ClientProblem | undefined;
};

export function renderClient(view: ClientView): Page {
  const { asking, client, issuer } = view;
  const edit = clientForm(asking, clientPath(asking, client.client_id), "Save", {
    values: view.values ?? valuesOf(client),
    problem: view.clientProblem,
  });
  const heading = html`<span class="person">${initials(client.client_name, "app")}<span>${client.client_name}${testTag(client)}</span></span>`;
  return renderDashboard(
    { ...view, problem: view.problem ?? problemText(view.clientProblem) },
    {
      title: client.client_name,
      heading,
      broad: true,
      content: html`<div class="editor"><div>${secretsCard(client)}${factsCard(client, issuer)}${snippetsCard(client, issuer)}</div>
<div><section class="card stack" aria-labelledby="edit-heading"><h2 id="edit-heading">Settings</h2>${edit}</section>${changesCard(asking, client)}</div></div>
<p class="small back"><a href="${asking.base}/dashboard">Back to the list</a></p>`,
    },
  );
}
