/** Where services are to be found: at their promised mounts, at their own host names, and at the root. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/index.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const allServices = await loadServices();

const promised: Record<string, string> = {
  S1: "/identity",
  S2: "/contributions/1",
  S3: "/unpack/v1",
  S4: "/braille",
  S5: "/podcasts/api/v2",
  S6: "/robotics",
  L: "/language/luis/authoring/v3.0-preview",
  F: "/face/v1.0",
  B: "/bank/v1",
  H: "/management",
  C: "/management",
  D: "/management",
  V: "/management",
  Q: "/management",
  J: "/management",
  G: "/functions",
  M: "/voice",
  R: "/resource-groups",
  T: "/events",
  K: "/backup",
};

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(async () => {
  await instance.stop();
});
function statusAt(host: string, path: string): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${instance.url}${path}`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
    });
    sent.on("error", reject).end();
  });
}

it("every service of the contract is where it was promised to be", () => {
  const letters = allServices.flatMap(({ contract }) => contract ?? []);
  expect(letters.length).toBeGreaterThan(0);
  for (const { contract, mount } of allServices)
    if (contract !== undefined) expect([contract, mount]).toEqual([contract, promised[contract]]);
});

it("every service answers at its own host name as it does under its mount", async () => {
  const port = new URL(instance.url).port;
  for (const { mount, operations } of allServices) {
    const path = operations.find(({ method, path }) => method === "GET" && !path.includes("{"))?.path;
    if (path === undefined) continue;
    const [, label = "", ...rest] = mount.split("/");
    const inner = rest.length > 0 ? `/${rest.join("/")}` : "";
    const [byPath, byHost] = [
      await statusAt(`127.0.0.1:${port}`, `${mount}${path}`),
      await statusAt(`${label}.localhost:${port}`, `${inner}${path}`),
    ];
    expect([mount, path, byHost.status]).toEqual([mount, path, byPath.status]);
    expect([mount, path, byHost.status]).not.toEqual([mount, path, 404]);
  }
});

it("the root leads to the console, which is at home on the main host name", async () => {
  const { port, host } = new URL(instance.url);
  expect(await statusAt(host, "/")).toEqual({ status: 302, location: "/console" });
  expect((await statusAt(host, "/console")).status).toBe(200);
  expect(await statusAt(`console.localhost:${port}`, "/docs/braille")).toEqual({
    status: 302,
    location: `http://localhost:${port}/console/docs/braille`,
  });
  expect((await statusAt(`_medley.localhost:${port}`, "/health")).status).toBe(200);
});

it.each(["a b", "[::1", "999.999.999.999", "localhost:99999", "name/path", "name@other", "%", "[]"])(
  "whoever names the host %s is refused everywhere, before an address is made of it",
  async (host) => {
    const paths = allServices.flatMap(({ mount, operations }) => {
      const found = operations.find(({ method, path }) => method === "GET" && !path.includes("{"));
      return found ? [`${mount}${found.path}`] : [];
    });
    for (const path of [...paths, "/identity/sign-in", "/console", "/_medley/openapi.json"])
      expect([path, (await statusAt(host, path)).status]).toEqual([path, 400]);
  },
);
it("a host that is missing or unusual, but sound, is served", async () => {
  for (const host of ["", "[::1]:4020", "under_score.example", "xn--bcher-kva.example:80"])
    expect([host, (await statusAt(host, "/identity/sign-in")).status]).toEqual([host, 200]);
});
