/** Callers of a gateway who go away before the backend has their request. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const ROOT = "/management/subscriptions/gone/resourceGroups/apis/providers/Vendor.ApiManagement/service/gone";
/** As many as have a connection to one backend at a time. */
const CONNECTIONS = 256;

describe("callers of a gateway who go away", () => {
  const held: (() => void)[] = [];
  const backend = new Backend({ "/held": (_request, response) => held.push(() => response.end("late")) });
  /** Answers before it has read the body. */
  const early = createServer((_request, response) => response.end("early"));
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  let instance: Instance;
  const put = async (id: string, serviceUrl: string) => {
    const properties = { path: id, serviceUrl, subscriptionRequired: false };
    const made = await instance.bearer("PUT", `${ROOT}/apis/${id}?api-version=2019-12-01-preview`, {
      body: { properties },
    });
    expect(made.status).toBeLessThan(300);
  };
  /** A caller who sends half of a body, and waits. */
  const half = (path: string) => {
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf of it`);
    return socket;
  };
  beforeAll(async () => {
    process.on("uncaughtException", note);
    await backend.start();
    instance = await startInstance({ services: ["api-diagnostics"] });
    await put("held", backend.url);
    await new Promise<void>((resolve) => early.listen(0, "127.0.0.1", resolve));
    await put("early", `http://127.0.0.1:${(early.address() as AddressInfo).port}`);
    await put("absent", "http://127.0.0.1:1");
  });
  afterAll(async () => {
    process.off("uncaughtException", note);
    await instance.stop();
    await backend.stop();
    early.closeAllConnections();
    early.close();
  });

  it("while their body is on its way to a backend that is not there", async () => {
    const socket = half("/gateway/gone/absent/x");
    const answer = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
    expect(answer.toString()).toContain(" 502 ");
    socket.destroy();
    expect((await instance.send("GET", "/gateway/gone/held/x")).status).toBe(200);
    expect(uncaught).toEqual([]);
  });
  it("while their body is on its way to a backend that has answered", async () => {
    const socket = half("/gateway/gone/early/early");
    const answer = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
    expect(answer.toString()).toContain(" 200 ");
    socket.destroy();
    expect((await instance.send("GET", "/gateway/gone/held/x")).status).toBe(200);
    expect(uncaught).toEqual([]);
  });
  it("while they wait for a connection: the backend never hears of them", async () => {
    const calls = Array.from({ length: CONNECTIONS }, () => fetch(`${instance.url}/gateway/gone/held/held`));
    await eventually(() => held.length === CONNECTIONS, "a call on every connection");
    const [asked, gone] = [new AbortController(), half("/gateway/gone/held/half")];
    const given = fetch(`${instance.url}/gateway/gone/held/given-up`, { signal: asked.signal });
    const patient = fetch(`${instance.url}/gateway/gone/held/patient`);
    await instance.send("GET", "/gateway/gone/absent/x");
    asked.abort();
    gone.destroy();
    await expect(given).rejects.toThrow();
    await instance.send("GET", "/gateway/gone/absent/x");
    for (const answer of held.splice(0)) answer();
    for (const call of calls) expect(await (await call).text()).toBe("late");
    expect((await patient).status).toBe(200);
    const paths = new Set(backend.asked.map(({ url }) => url));
    expect([...paths]).toEqual(["/x", "/held", "/patient"]);
    expect(uncaught).toEqual([]);
  });
});
