/** Limits of an account and its clients. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { exchange, registerClient } from "../../../tests/support/identity-browser.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const CLIENTS_MAX = 1000;
const AT_ONCE = 20;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["identity"] });
});
afterAll(() => instance.stop());

it("exchanges no code for a client that was registered for other grants", async () => {
  const client = await registerClient(instance, { response_types: ["id_token"] });
  const { status, body } = await exchange(instance, client, "any");
  expect([status, body.error]).toEqual([400, "unauthorized_client"]);
});

it("registers a thousand clients of an account, and not one more", async () => {
  const register = (as: "first" | "second") =>
    instance.bearer("POST", "/identity/client", {
      as,
      body: {
        client_name: "One of many",
        client_uri: "http://localhost:9/",
        redirect_uris: ["http://localhost:9/back"],
      },
    });
  for (let made = 0; made < CLIENTS_MAX; made += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => register("second")));
    expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  }
  const refused = await register("second");
  expect([refused.status, refused.body.error]).toEqual([403, "too_many_clients"]);
  expect((await register("first")).status).toBe(201);
});
