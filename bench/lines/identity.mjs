/** Identity: the answers that applications ask for most, and what signing costs. */
import { autocannon, inTurns, token } from "../load.mjs";

const REDIRECT = "http://localhost:9/answer";
const EXCHANGES = { ES256: 10_000, RS256: 1500 };
const WARM_UP_SHARE = 0.3;
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
const person = { username: "ann", password: "ann-password-1" };

/** Just enough of a browser to sign in once. */
function browserFor(base) {
  const cookies = new Map();
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const open = async (path, form) => {
    const response = await fetch(new URL(path, base), {
      method: form ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: header() },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [pair] = text.split("; ");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return { location: response.headers.get("location"), html: await response.text() };
  };
  return { open, header };
}
const formToken = (html) => /name="form_token" value="([^"]+)"/.exec(html)[1];

async function signIn(base, client) {
  const browser = browserFor(base);
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: "code",
    scope: "openid profile email",
    redirect_uri: REDIRECT,
    state: "bench",
  });
  const authorize = `${base}/identity/authorize?${query}`;
  const { location: page } = await browser.open(authorize);
  const signIn = await browser.open(page);
  const signedIn = await browser.open(`${page}/sign-in`, { form_token: formToken(signIn.html), ...person });
  await browser.open(signedIn.location);
  const consent = await browser.open(page);
  const agreed = await browser.open(`${page}/consent`, {
    form_token: formToken(consent.html),
    decision: "allow",
  });
  await browser.open(agreed.location);
  return { authorize, cookie: browser.header() };
}

async function register(base, algorithm) {
  const response = await fetch(`${base}/identity/client`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Bench",
      client_uri: "http://localhost:9/",
      redirect_uris: [REDIRECT],
      id_token_signed_response_alg: algorithm,
    }),
  });
  return response.json();
}

/** The form that exchanges a code. */
export const bodyFor = (client, code, redirectUri = REDIRECT) =>
  new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: client.client_id,
    client_secret: client.client_secret,
  }).toString();

/** Every code works once, so as many are fetched first as will be exchanged. */
export async function prepareExchanges(base, algorithm, count = EXCHANGES[algorithm]) {
  const client = await register(base, algorithm);
  const { authorize, cookie } = await signIn(base, client);
  const codes = [];
  const fetchCodes = async () => {
    while (codes.length < count) {
      const { headers } = await fetch(authorize, { redirect: "manual", headers: { cookie } });
      codes.push(new URL(headers.get("location")).searchParams.get("code"));
    }
  };
  await Promise.all(Array.from({ length: 16 }, fetchCodes));
  return { client, codes };
}

/** The first codes warm the server up, as `load` does; the rest are timed. */
async function exchanges(url, bodies) {
  await sendAll(url, bodies.splice(0, bodies.length * WARM_UP_SHARE));
  return sendAll(url, bodies);
}
async function sendAll(url, bodies) {
  const amount = bodies.length;
  const start = performance.now();
  let last = start;
  const running = autocannon({
    url,
    method: "POST",
    connections: 64,
    amount,
    headers: FORM,
    requests: [{ setupRequest: (request) => ({ ...request, body: bodies.pop() ?? "" }) }],
  });
  // The load ends on a whole second, whenever the last answer came; so the clock is ours.
  running.on("response", () => {
    last = performance.now();
  });
  const result = await running;
  if (result.non2xx > 0) throw new Error(`${result.non2xx} of ${amount} exchanges were refused`);
  return amount / ((last - start) / 1000);
}
async function ownExchanges(base, algorithm) {
  const { client, codes } = await prepareExchanges(base, algorithm);
  return exchanges(
    `${base}/identity/token`,
    codes.map((code) => bodyFor(client, code)),
  );
}

/** Of a person who has signed in. */
export async function accessTokenOf({ url }) {
  const client = await register(url, "ES256");
  const { authorize, cookie } = await signIn(url, client);
  const { headers } = await fetch(authorize, { redirect: "manual", headers: { cookie } });
  const code = new URL(headers.get("location")).searchParams.get("code");
  const body = new URLSearchParams(bodyFor(client, code));
  return (await (await fetch(`${url}/identity/token`, { method: "POST", body })).json()).access_token;
}

export async function identityLines({ raw, product }) {
  const base = product.url;
  const access_token = await accessTokenOf(product);
  const { rawGet, userinfo, keys } = await inTurns({
    rawGet: [`${raw.url}/`],
    userinfo: [`${base}/identity/userinfo`, { headers: { authorization: `Bearer ${access_token}` } }],
    keys: [`${base}/identity/jwks`],
  });
  const line = (name, value, extra = {}) => ({
    line: `identity: ${name}`,
    value: `${Math.round(value)}/s`,
    ratio: value / rawGet,
    ...extra,
  });
  const curves = await ownExchanges(base, "ES256");
  const rsa = await ownExchanges(base, "RS256");
  return [
    line("userinfo", userinfo, { target: 0.4 }),
    line("key set", keys),
    line("token exchange, ES256 and EdDSA signed, durable (about 0.12 ms of signing)", curves),
    line("token exchange, RS256 and EdDSA signed, durable (about 3.5 ms of signing)", rsa),
  ];
}
