/** oidc-provider in memory, set up like the product: codes for a confidential client, ES256 ID tokens. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const REDIRECT = "https://client.example/answer";
const account = { sub: "ann", name: "Ann", email: "ann@example.org", email_verified: true };
const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });

/** Its own memory store forgets all but the last thousand entries; this one forgets nothing, and is as fast. */
class Memory {
  #entries = new Map();
  async upsert(id, payload) {
    this.#entries.set(id, payload);
  }
  async find(id) {
    return this.#entries.get(id);
  }
  async consume(id) {
    this.#entries.get(id).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    this.#entries.delete(id);
  }
  async revokeByGrantId() {}
}

const provider = new Provider("http://localhost", {
  adapter: Memory,
  clients: [
    {
      client_id: "bench",
      client_secret: "bench-secret-of-ordinary-length",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "client_credentials"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      id_token_signed_response_alg: "ES256",
    },
  ],
  jwks: { keys: [{ ...jwk, use: "sig", alg: "ES256" }] },
  cookies: { keys: ["bench"] },
  scopes: ["openid", "profile", "email"],
  claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  pkce: { required: () => false },
  findAccount: (_context, id) => ({ accountId: id, claims: () => account }),
});

/** What the pages would do, so that as many codes are at hand as will be exchanged. */
async function newCode(client) {
  const grant = new provider.Grant({ accountId: account.sub, clientId: client.clientId });
  grant.addOIDCScope("openid profile email");
  const code = new provider.AuthorizationCode({
    accountId: account.sub,
    client,
    grantId: await grant.save(),
    gty: "authorization_code",
    redirectUri: REDIRECT,
    scope: "openid profile email",
    authTime: Math.floor(Date.now() / 1000),
  });
  return code.save();
}

const answer = provider.callback();
const server = createServer(async (request, response) => {
  if (!request.url.startsWith("/codes/")) return answer(request, response);
  const client = await provider.Client.find("bench");
  const codes = [];
  while (codes.length < Number(request.url.slice("/codes/".length))) codes.push(await newCode(client));
  response.end(JSON.stringify(codes));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
