/** A person at a browser, without a browser: keeps cookies, follows redirects, fills in forms. */
import { createRemoteJWKSet } from "jose";
import type { Instance } from "./medley.ts";

/** As clients fetch them, but with time for a busy machine. */
export const keysAt = (url: string) => createRemoteJWKSet(new URL(url), { timeoutDuration: 90_000 });

export type Person = { readonly username: string; readonly password: string };
export const ann: Person = { username: "ann", password: "ann-password-1" };

export type Visit = {
  readonly status: number;
  readonly url: string;
  readonly location: string | undefined;
  readonly headers: Headers;
  readonly html: string;
};
export type Form = { readonly action: string; readonly fields: Record<string, string> };
export type Behaviour = { readonly person?: Person; readonly consent?: boolean };

const STEPS_MAX = 20;
const decoded = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_all, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decoded(found);
};

/** All forms of a page with what their fields hold. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = "", inside = ""]) => {
    const fields: Record<string, string> = {};
    for (const [tag] of inside.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, "name");
      const unticked = /type="checkbox"/.test(tag) && !/\bchecked\b/.test(tag);
      if (name !== undefined && !unticked) fields[name] = attribute(tag, "value") ?? "";
    }
    const button = /<button\b[^>]*>/.exec(inside)?.[0] ?? "";
    const buttonName = attribute(button, "name");
    if (buttonName !== undefined) fields[buttonName] = attribute(button, "value") ?? "";
    return { action: attribute(head, "action") ?? "", fields };
  });
}

export class TestBrowser {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();
  /** Every answer on the way of the last journey. */
  visits: Visit[] = [];

  /** `origin`: how this person writes the host, where that is not as usual. */
  constructor(instance: Instance, origin = instance.url) {
    this.#origin = origin;
  }
  async open(
    url: string,
    init: { method?: string; form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Visit> {
    const address = new URL(url, this.#origin).href;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, {
      method: init.method ?? (init.form ? "POST" : "GET"),
      redirect: "manual",
      headers: { accept: "text/html,*/*;q=0.8", ...(cookie !== "" && { cookie }), ...init.headers },
      ...(init.form && { body: new URLSearchParams(init.form) }),
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    const location = response.headers.get("location") ?? undefined;
    const visit = {
      status: response.status,
      url: address,
      location: location === undefined ? undefined : absolute(location, address),
      headers: response.headers,
      html: await response.text(),
    };
    this.visits.push(visit);
    return visit;
  }
  #keep(text: string): void {
    const [pair = "", ...flags] = text.split("; ");
    const equals = pair.indexOf("=");
    const gone = flags.some((flag) => /^max-age=0$/i.test(flag));
    if (gone) this.cookies.delete(pair.slice(0, equals));
    else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  submit(page: Visit, match: (form: Form) => boolean, fields: Record<string, string> = {}): Promise<Visit> {
    const form = formsOf(page.html).find(match);
    if (!form) throw new Error(`no such form on ${page.url}: ${page.status} ${page.html.slice(0, 2000)}`);
    return this.open(absolute(form.action, page.url), { form: { ...form.fields, ...fields } });
  }

  /** Does what a person would do until the browser is sent to another site; answers that address. */
  async travel(url: string, { person = ann, consent = true }: Behaviour = {}): Promise<URL> {
    this.visits = [];
    let visit = await this.open(url);
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (visit.location !== undefined) {
        if (!visit.location.startsWith(`${this.#origin}/identity/`)) return new URL(visit.location);
        visit = await this.open(visit.location);
      } else visit = await this.#answer(visit, person, consent);
    }
    throw new Error("the journey does not end");
  }
  #answer(page: Visit, person: Person, consent: boolean): Promise<Visit> {
    const forms = formsOf(page.html);
    if (page.status === 200 && forms.some(({ action }) => action.endsWith("/consent"))) {
      const wanted = consent ? "/consent" : "/deny";
      const token = forms.find(({ action }) => action.endsWith("/consent"))?.fields.form_token ?? "";
      const action = forms.find((form) => form.action.endsWith("/consent"))?.action ?? "";
      return consent
        ? this.submit(page, (form) => form.action.endsWith(wanted))
        : this.open(absolute(action.replace(/\/consent$/, wanted), page.url), {
            form: { form_token: token },
          });
    }
    if (page.status === 200 && forms.some(({ fields }) => "password" in fields))
      return this.submit(page, ({ fields }) => "password" in fields, { ...person });
    if (page.status === 200 && forms.some(({ action }) => action.endsWith("/choose")))
      return this.submit(page, ({ action }) => action.endsWith("/choose"));
    throw new Error(`stuck at ${page.url}: ${page.status} ${page.html.slice(-1500)}`);
  }
}

/** Schemes of one's own are not resolved. */
const absolute = (location: string, base: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, base).href;

export const parametersOf = (url: URL): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.hash === "" ? url.search : url.hash.slice(1)));

export type TestClient = {
  readonly client_id: string;
  readonly client_secret: string;
  readonly registration_access_token: string;
  readonly redirect_uris: readonly string[];
};
export const REDIRECT = "http://localhost:9/answer";

export async function registerClient(
  instance: Instance,
  change: Record<string, unknown> = {},
  as: "first" | "second" = "first",
): Promise<TestClient> {
  const { status, body } = await instance.bearer("POST", "/identity/client", {
    as,
    body: {
      client_name: "Test application",
      client_uri: "http://localhost:9/",
      redirect_uris: [REDIRECT],
      id_token_signed_response_alg: "ES256",
      ...change,
    },
  });
  if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A member set to undefined is left out. */
export function authorizeUrl(client: TestClient, change: Record<string, string | undefined> = {}): string {
  const all: Record<string, string | undefined> = {
    client_id: client.client_id,
    response_type: "code",
    scope: "openid",
    redirect_uri: REDIRECT,
    state: "a state",
    ...change,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/identity/authorize?${new URLSearchParams(given)}`;
}

export function exchange(
  instance: Instance,
  client: TestClient,
  code: string | undefined,
  change: Record<string, string | undefined> = {},
) {
  const all: Record<string, string | undefined> = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    client_id: client.client_id,
    client_secret: client.client_secret,
    ...change,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return instance.send("POST", "/identity/token", { body: new URLSearchParams(given) });
}

/** Signs in, agrees, exchanges the code. */
export async function obtainTokens(
  instance: Instance,
  client: TestClient,
  {
    browser = new TestBrowser(instance),
    ...change
  }: { browser?: TestBrowser; scope?: string; nonce?: string } = {},
): Promise<{ access_token: string; id_token: string; scope: string; expires_at: number }> {
  const { code } = parametersOf(await browser.travel(authorizeUrl(client, change)));
  const { status, body } = await exchange(instance, client, code);
  if (status !== 200) throw new Error(`the exchange answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const userinfo = (instance: Instance, token: string) =>
  instance.send("GET", "/identity/userinfo", { headers: { authorization: `Bearer ${token}` } });

/** The claims of a token, unverified. */
export const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
