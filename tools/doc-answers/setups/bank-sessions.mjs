/** An installation with a device, and a session whose requests are signed. */
import { createSign, generateKeyPairSync } from "node:crypto";
import { askerOf } from "./asking.mjs";
import { MOUNT } from "./bank-person.mjs";

const KEYS = {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
};

export async function recordSessions({ url, record, key }) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", KEYS);
  const ask = askerOf(url, {});
  const shown = async (token, method, path, body) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const answer = await ask(method, MOUNT + path, body, {
      ...(token && { "x-vendor-client-authentication": token }),
      "x-vendor-client-signature": createSign("sha256").update(text).sign(privateKey, "base64"),
    });
    const type = answer.headers.get("content-type") ?? "";
    record({ method, path: MOUNT + path, ...(body && { body }) }, { ...answer, type });
    return answer.body;
  };
  const { Id, Token } = await shown(undefined, "POST", "/installation", { client_public_key: publicKey });
  const { token } = Token;
  await shown(token, "GET", "/installation");
  await shown(token, "GET", `/installation/${Id.id}`);
  await shown(token, "GET", `/installation/${Id.id}/server-public-key`);
  const device = await shown(token, "POST", "/device-server", { description: "A till", secret: key });
  const session = await shown(token, "POST", "/session-server", { secret: key });
  const signedIn = session.Token.token;
  const deviceId = device.id ?? device.Id.id;
  await shown(signedIn, "GET", `/device-server/${deviceId}`);
  await shown(signedIn, "GET", `/device/${deviceId}`);
  await shown(signedIn, "DELETE", `/session/${session.Id.id}`);
}
