/** Identity: the answers that applications ask for most, and what signing costs. */
import autocannon from "autocannon";
import { load, token } from "../load.mjs";

const REDIRECT = "http://localhost:9/answer";
const EXCHANGES = { ES256: 4000, RS256: 1000 };
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

const bodyFor = (client, code) =>
  new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    client_id: client.client_id,
    client_secret: client.client_secret,
  }).toString();

/** Every code works once, so as many are fetched first as will be exchanged. */
async function prepare(base, algorithm) {
  const client = await register(base, algorithm);
  const { authorize, cookie } = await signIn(base, client);
  const codes = [];
  const fetchCodes = async () => {
    while (codes.length < EXCHANGES[algorithm]) {
      const { headers } = await fetch(authorize, { redirect: "manual", headers: { cookie } });
      codes.push(new URL(headers.get("location")).searchParams.get("code"));
    }
  };
  await Promise.all(Array.from({ length: 16 }, fetchCodes));
  return { client, codes };
}

async function exchanges(base, algorithm) {
  const { client, codes } = await prepare(base, algorithm);
  const amount = EXCHANGES[algorithm];
  const start = performance.now();
  let last = start;
  const running = autocannon({
    url: `${base}/identity/token`,
    method: "POST",
    connections: 16,
    amount,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    requests: [{ setupRequest: (request) => ({ ...request, body: bodyFor(client, codes.pop() ?? "") }) }],
  });
  // The load ends on a whole second, whenever the last answer came; so the clock is ours.
  running.on("response", () => {
    last = performance.now();
  });
  const result = await running;
  if (result.non2xx > 0) throw new Error(`${result.non2xx} of ${amount} exchanges were refused`);
  return result.requests.total / ((last - start) / 1000);
}

export async function identityLines({ raw, product }) {
  const base = product.url;
  const { client, codes } = await prepare(base, "ES256");
  const issued = await fetch(`${base}/identity/token`, {
    method: "POST",
    body: new URLSearchParams(bodyFor(client, codes[0])),
  });
  const { access_token } = await issued.json();
  const rawGet = await load(`${raw.url}/`);
  const line = (name, value, extra = {}) => ({
    line: `identity: ${name}`,
    value: `${Math.round(value)}/s`,
    ratio: value / rawGet,
    ...extra,
  });
  const curves = await exchanges(base, "ES256");
  const rsa = await exchanges(base, "RS256");
  return [
    line(
      "userinfo",
      await load(`${base}/identity/userinfo`, { headers: { authorization: `Bearer ${access_token}` } }),
    ),
    line("key set", await load(`${base}/identity/jwks`)),
    line("token exchange, ES256 and EdDSA signed (about 0.12 ms of signing)", curves),
    line("token exchange, RS256 and EdDSA signed (about 3.5 ms of signing, off the main thread)", rsa),
  ];
}
