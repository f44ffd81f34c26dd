/** Authorization requests: when a nonce is needed. */
import { expect, it } from "vitest";
import type { Client } from "../../clients/index.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";

const client = {
  clientId: "client",
  metadata: {
    redirectUris: ["https://app.example/back"],
    responseTypes: ["code", "id_token"],
    defaultScopes: ["openid"],
    permissions: [],
    applicationType: "web",
  },
} as unknown as Client;
const read = (parameters: Record<string, string>) =>
  readAuthorizationRequest({ state: "s", ...parameters }, client, {
    redirectUri: "https://app.example/back",
    responseMode: "fragment",
    state: "s",
  });

it("keeps a nonce, and needs one for an ID token", () => {
  expect(read({ response_type: "code", nonce: "n" })).toMatchObject({ request: { nonce: "n" } });
  const plain = read({ response_type: "code" });
  expect(plain).toMatchObject({ request: { clientId: "client" } });
  expect(plain).not.toHaveProperty("request.nonce");
  expect(read({ response_type: "id_token", nonce: "n" })).toMatchObject({ request: { nonce: "n" } });
  expect(read({ response_type: "id_token" })).toMatchObject({
    problem: { error: "invalid_request", description: expect.stringContaining("nonce is required") },
  });
});
