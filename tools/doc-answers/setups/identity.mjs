/** What a person and the owner of an account do on the pages of identity, and the client that the person signs in to. */
import { askerOf } from "./asking.mjs";
import { Authenticator } from "./authenticator.mjs";
import { Browser } from "./browser.mjs";

const MOUNT = "/identity";
const REDIRECT = "https://garden.example.org/signed-in";
const AFTER_LOGOUT = "https://garden.example.org/";
const PERSON = { name: "Ann Example", username: "ann", email: "ann@example.org", password: "Tall-Trees-7" };
const SETTINGS = { client_uri: "https://garden.example.org", redirect_uris: REDIRECT };
const NEW_PASSWORD = "Taller-Trees-8";

/** Shows that a form came from a page of the service. */
const tokenOf = ({ text }) => ({ form_token: /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? "" });

class Journey {
  constructor({ url, account, admin, record }) {
    this.admin = admin;
    this.account = account;
    this.record = record;
    // Passkeys need a host name.
    this.browser = new Browser(url.replace("127.0.0.1", "localhost"), record);
    this.ask = askerOf(url, {});
    this.owner = askerOf(url, { authorization: `Bearer ${account.tokens[0]}` });
  }
  async register() {
    const { body } = await this.owner("POST", `${MOUNT}/client`, {
      client_name: "Garden diary",
      client_uri: "https://garden.example.org",
      redirect_uris: [REDIRECT],
      post_logout_redirect_uris: [AFTER_LOGOUT],
    });
    this.client = body;
  }
  wordsOf(more) {
    const { client_id } = this.client;
    const words = { client_id, response_type: "code", scope: "openid profile email", redirect_uri: REDIRECT };
    return { ...words, state: "k3Jx0Qm2vT", ...more };
  }
  authorize(more) {
    return this.browser.open(`${MOUNT}/authorize?${new URLSearchParams(this.wordsOf(more))}`);
  }
  /** The page of a pending request, and its address. */
  async asked(more) {
    const begun = await this.authorize(more);
    return { page: await this.browser.follow(begun), at: begun.location.pathname };
  }
  async send(path, form, headers = {}) {
    const body = form && new URLSearchParams(form);
    const answer = await this.ask("POST", MOUNT + path, body, headers);
    const type = answer.headers.get("content-type") ?? "";
    this.record({ method: "POST", path: MOUNT + path, body: form }, { ...answer, type });
    return answer.body;
  }
  async exchange(page) {
    const { client_id, client_secret } = this.client;
    const code = page.location.searchParams.get("code");
    const words = {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      client_id,
      client_secret,
    };
    return this.send("/token", words);
  }
  /** The token of the newest mail with a link to such a page. */
  async mailed(page) {
    const { body } = await this.admin("GET", "/_medley/outbox?service=identity&limit=20");
    const text = JSON.stringify(body);
    const [, token] = new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text) ?? [];
    if (!token) throw new Error(`no mail leads to ${page}: ${text.slice(0, 2000)}`);
    return token;
  }
}

async function signUp(journey) {
  const { browser } = journey;
  const { at } = await journey.asked();
  const form = await browser.open(`${at}/sign-up`);
  const consent = await browser.follow(await browser.submit(form, "/sign-up", PERSON));
  return journey.exchange(await browser.follow(await browser.submit(consent, "/consent")));
}
async function useTokens(journey, { access_token }) {
  const { client_id, client_secret } = journey.client;
  const secrets = { client_id, client_secret };
  const bearer = { authorization: `Bearer ${access_token}` };
  const info = await journey.ask("GET", `${MOUNT}/userinfo`, undefined, bearer);
  const type = info.headers.get("content-type") ?? "";
  journey.record({ method: "GET", path: `${MOUNT}/userinfo` }, { ...info, type });
  await journey.send("/userinfo", undefined, bearer);
  await journey.send("/introspect", { token: access_token, ...secrets });
  await journey.send("/revoke", { token: access_token, ...secrets });
}
/** Requests of clients that the person answers in other ways. */
async function decide(journey) {
  const { browser } = journey;
  const chosen = await browser.open(`${MOUNT}/authorize`, journey.wordsOf({ prompt: "select_account" }));
  await browser.follow(await browser.submit(await browser.follow(chosen), "/choose"));
  const denied = await journey.asked({ prompt: "consent" });
  await browser.open(`${denied.at}/deny`, tokenOf(denied.page));
  const switched = await journey.asked({ prompt: "select_account" });
  await browser.follow(await browser.open(`${switched.at}/switch`, tokenOf(switched.page)));
  const { at } = await journey.asked();
  const form = await browser.open(`${at}/sign-in`);
  await browser.follow(await browser.submit(form, "/sign-in", PERSON));
}
/** The passkey is added, signs the person in to the account and to the client, and is removed. */
async function usePasskey(journey) {
  const { browser } = journey;
  const token = tokenOf(await browser.open(`${MOUNT}/account/security`));
  const device = new Authenticator(browser.url);
  const optionsOf = async (path, form) => JSON.parse((await browser.open(`${MOUNT}${path}`, form)).text);
  await browser.open(`${MOUNT}/account/passkeys`, {
    ...token,
    passkey: device.create(await optionsOf("/account/passkey-options", token)),
    passkey_name: "Telephone",
    passkey_password: PERSON.password,
  });
  const enter = async (at) => {
    const form = tokenOf(await browser.open(`${at}/sign-in`));
    const passkey = device.prove(await optionsOf("/passkey-options", form));
    return browser.open(`${at}/sign-in/passkey`, { ...form, passkey });
  };
  await browser.submit(await browser.open(`${MOUNT}/account`), "/sign-out");
  await enter(MOUNT);
  const { at } = await journey.asked({ prompt: "login" });
  await browser.follow(await enter(at));
  const security = await browser.open(`${MOUNT}/account/security`);
  await browser.submit(security, "/account/passkeys/remove");
}
async function useAccount(journey) {
  const { browser } = journey;
  const account = await browser.open(`${MOUNT}/account`);
  await browser.submit(account, "/account/profile", { nickname: "Annie" });
  await browser.submit(account, "/account/confirm-mail");
  const verify = await browser.open(`${MOUNT}/verify?token=${await journey.mailed("verify")}`);
  await browser.submit(verify, "/verify");
  await usePasskey(journey);
  const security = await browser.open(`${MOUNT}/account/security`);
  const token = tokenOf(security);
  await browser.open(`${MOUNT}/account/sessions/end`, { ...token, session: "others" });
  await browser.submit(security, "/account/password", {
    password: PERSON.password,
    new_password: NEW_PASSWORD,
  });
  const applications = await browser.open(`${MOUNT}/account/applications`);
  await browser.submit(applications, "/account/applications/remove");
}
async function leaveAndReturn(journey) {
  const { browser } = journey;
  const words = { post_logout_redirect_uri: AFTER_LOGOUT, client_id: journey.client.client_id };
  const asked = await browser.follow(await browser.open(`${MOUNT}/logout`, words));
  await browser.follow(await browser.submit(asked, "/sign-out", { decision: "sign-out" }));
  const signIn = await browser.open(`${MOUNT}/sign-in`);
  await browser.open(`${MOUNT}/passkey-options`, tokenOf(signIn));
  const forgotten = await browser.open(`${MOUNT}/forgotten`);
  await browser.submit(forgotten, "/forgotten", { username: PERSON.username });
  const reset = await browser.open(`${MOUNT}/reset?token=${await journey.mailed("reset")}`);
  await browser.submit(reset, "/reset", { password: PERSON.password });
  const enter = async () =>
    browser.submit(await browser.open(`${MOUNT}/sign-in`), "/sign-in", {
      username: PERSON.username,
      password: PERSON.password,
    });
  await enter();
  await browser.submit(await browser.open(`${MOUNT}/account`), "/sign-out");
  await enter();
  const security = await browser.open(`${MOUNT}/account/security`);
  await browser.submit(security, "/account/delete", { delete_password: PERSON.password });
}
async function own(journey) {
  const { browser, account } = journey;
  const entrance = await browser.follow(await browser.open(`${MOUNT}/dashboard/sign-in`));
  await browser.submit(entrance, "/dashboard/sign-in", { token: account.tokens[0] });
  await browser.open(`${MOUNT}/dashboard`);
  const form = await browser.open(`${MOUNT}/dashboard/clients/new`);
  await browser.submit(form, "/dashboard/clients", { ...SETTINGS, client_name: "Seed shop" });
  const at = `${MOUNT}/dashboard/clients/${journey.client.client_id}`;
  const client = await browser.open(at);
  await browser.submit(client, `/clients/${journey.client.client_id}`, {
    ...SETTINGS,
    client_name: "Garden book",
  });
  await browser.submit(client, "/rotate");
  await browser.submit(client, "/delete");
  await browser.submit(await browser.open(`${MOUNT}/dashboard`), "/dashboard/sign-out");
}

export async function recordIdentity(given) {
  const journey = new Journey(given);
  await journey.register();
  await useTokens(journey, await signUp(journey));
  await decide(journey);
  await useAccount(journey);
  await leaveAndReturn(journey);
  await own(journey);
}
