/** A store's endpoint as seen from different addresses. */
import { expect, it } from "vitest";
import type { Context } from "#kernel/operation";
import { endpointOf } from "./endpoint.ts";

it.each([
  ["http://127.0.0.1:4020/management", "http://127.0.0.1:4020/configuration/lantern"],
  ["https://medley.example", "https://medley.example/configuration/lantern"],
  ["http://localhost:4020/management", "http://localhost:4020/configuration/lantern"],
  ["http://management.localhost:4020", "http://lantern.configuration.localhost:4020"],
  ["https://management.localhost", "https://lantern.configuration.localhost"],
  ["", "/configuration/lantern"],
])("asked at %s it is %s", (mountUrl, endpoint) => {
  expect(endpointOf({ request: { mountUrl } } as Context, "lantern")).toBe(endpoint);
});
