/** Callers who send half a head or half a body, to every mount: nobody waits for them, and whoever is refused is told at once. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { anyone, type Operation, type Service } from "../../src/kernel/operation/index.ts";
import { fitting, requiredQuery } from "../conformance/requests.ts";
import { eventually } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const HALF_SENT_EACH = 20;
const services = await loadServices();
const prefixes = services.flatMap(({ mount, gateway }) => [
  mount,
  ...(gateway ? [`${gateway.path}/nobody`] : []),
]);
const places = [...new Set([...prefixes, "/_medley", "/console"])];
let instance: Instance;
const sockets: Socket[] = [];
beforeAll(async () => {
  instance = await startInstance();
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await instance?.stop();
});

/** Sends this and nothing more; the connection stays. */
function begin(text: string): { heard: () => string } {
  let heard = "";
  const socket = connect(Number(new URL(instance.url).port), "127.0.0.1", () => socket.write(text));
  socket.on("data", (part) => {
    heard += part;
  });
  socket.on("error", () => {});
  sockets.push(socket);
  return { heard: () => heard };
}
const isAnswered = async (path: string): Promise<boolean> => (await instance.send("GET", path)).status < 500;

it.each(places)("half a head to %s holds up nobody", async (place) => {
  for (let count = 0; count < HALF_SENT_EACH; count += 1)
    begin(`GET ${place}/${count} HTTP/1.1\r\nHost: localhost\r\nX-Half: `);
  for (const path of places) expect([path, await isAnswered(path)]).toEqual([path, true]);
});

const taking = (service: Service): Operation | undefined =>
  // Forms of pages may hold the credential themselves.
  service.operations.find(
    ({ body, bodyKinds = ["json"], permission }) =>
      body !== undefined && bodyKinds.includes("json") && permission !== anyone,
  );
const addressOf = (service: Service, operation: Operation): string => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name) => {
    const schema = operation.params?.properties[name];
    return encodeURIComponent(String(schema ? fitting(schema) : "x"));
  });
  return `${service.mount}${path}?${requiredQuery(service, operation)}`;
};
it.each(
  services.flatMap((service) => {
    const operation = taking(service);
    return operation ? [[operation.id, service, operation] as const] : [];
  }),
)("half a body to %s from nobody is answered without the rest", async (_id, service, operation) => {
  const { heard } = begin(
    `${operation.method} ${addressOf(service, operation)} HTTP/1.1\r\nHost: localhost\r\n` +
      "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
  );
  await eventually(() => heard().includes("\r\n\r\n"), "an answer");
  expect(Number(heard().slice(9, 12))).toBeGreaterThanOrEqual(400);
  expect(Number(heard().slice(9, 12))).toBeLessThan(500);
});
