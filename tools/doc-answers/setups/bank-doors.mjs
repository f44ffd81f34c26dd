/** Who shows a certificate, and applications that act for a user. */
import { generateKeyPairSync, sign } from "node:crypto";
import { generateKeyPem, issueAuthority } from "../../../dist/kernel/tls/issue.js";
import { askerOf } from "./asking.mjs";
import { MOUNT } from "./bank-person.mjs";

const RETURN = "https://shop.example/back";
const KEYS = {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
};
const signedBy = (key, text) => sign("sha256", Buffer.from(text), key).toString("base64");

async function newCertificate() {
  const privateKey = await generateKeyPem();
  return { privateKey, pem: await issueAuthority(privateKey, Date.now()) };
}
async function pinned(own) {
  const { pem } = await newCertificate();
  const path = `${own.user}/certificate-pinned`;
  const id = await own.making(path, { certificate_chain: [{ certificate: pem }] });
  await own.shown("GET", `${path}/${id}`);
  await own.shown("DELETE", `${path}/${id}`);
}
/** A provider shows its certificate to an installation, and opens a session with the token that it gets. */
async function provider(own, other) {
  const keys = generateKeyPairSync("rsa", KEYS);
  const ask = askerOf(own.url, {});
  const send = async (token, method, path, body) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = { "x-vendor-client-signature": signedBy(keys.privateKey, text) };
    if (token) headers["x-vendor-client-authentication"] = token;
    const answer = await ask(method, MOUNT + path, body, headers);
    const type = answer.headers.get("content-type") ?? "";
    return { request: { method, path: MOUNT + path, body }, answer: { ...answer, type } };
  };
  const shown = async (...call) => {
    const { request, answer } = await send(...call);
    own.record(request, answer);
    return answer.body;
  };
  const done = async (...call) => (await send(...call)).answer.body;
  const enter = async (secret) => {
    const { token } = (await done("", "POST", "/installation", { client_public_key: keys.publicKey })).Token;
    await done(token, "POST", "/device-server", { description: "A till", secret, permitted_ips: ["*"] });
    return done(token, "POST", "/session-server", { secret });
  };
  const door = (await enter(other.key)).Token.token;
  const { pem, privateKey } = await newCertificate();
  const path = "/payment-service-provider-credential";
  const { Id, id = Id.id } = await shown(door, "POST", path, {
    client_payment_service_provider_certificate: pem,
    client_payment_service_provider_certificate_chain: pem,
    client_public_key_signature: signedBy(privateKey, keys.publicKey),
  });
  const { token_value } = await shown(door, "GET", `${path}/${id}`);
  const session = await enter(token_value);
  const { id: userId } = session.UserPaymentServiceProvider;
  await shown(session.Token.token, "GET", `/user-payment-service-provider/${userId}`);
}
/** The user sees the page, allows the application, and the application changes its code for a token. */
async function application(own, other) {
  const clients = `${own.user}/oauth-client`;
  const id = await own.made(clients, {});
  await own.made(`${clients}/${id}/callback-url`, { url: RETURN });
  const { client_id, secret: client_secret } = await own.done("GET", `${clients}/${id}`);
  const asked = { response_type: "code", client_id, redirect_uri: RETURN, state: "k3Jx0Qm2vT" };
  await own.visited("GET", `/oauth/authorize?${new URLSearchParams(asked)}`);
  const { response_type: _fixed, ...known } = asked;
  const decision = { ...known, key: other.key, decision: "allow" };
  const { location } = await own.visited("POST", "/oauth/authorize", decision);
  const code = new URL(location).searchParams.get("code");
  const grant = { grant_type: "authorization_code", code, redirect_uri: RETURN };
  await own.visited("POST", "/oauth/token", { ...grant, client_id, client_secret });
  await own.done("PUT", `${clients}/${id}`, { status: "CANCELLED" });
}

/** One that fails leaves the others as they are. */
export async function recordDoors(own, other) {
  for (const make of [pinned, provider, application])
    await make(own, other).catch(({ message }) => console.error(`bank, ${make.name}: ${message}`));
}
