/** Answers that no HTTP server may write on: of backends that break the rules, and of policies. */
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const backend = new Backend();
/** Sends the header of its path, and the body later. */
const hostile: Server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", (part) => {
    const [, header = ""] = /^GET \/v1\/(\S+)/.exec(part.toString("latin1")) ?? [];
    socket.write(`HTTP/1.1 200 OK\r\n${decodeURIComponent(header)}\r\nOk: yes\r\nContent-Length: 4\r\n\r\n`);
    setTimeout(() => socket.write("late"), 100);
  });
});
let instance: Instance;
let gateway: ReturnType<typeof newGateway>;
beforeAll(async () => {
  await backend.start();
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  instance = await startInstance();
  gateway = newGateway(() => instance, backend);
  await gateway.api();
  const { port } = hostile.address() as { port: number };
  await gateway.api({ serviceUrl: `http://127.0.0.1:${port}/v1` }, "hostile");
});
afterAll(async () => {
  await instance.stop();
  await backend.stop();
  hostile.close();
});

const policyOf = (inbound: string, outbound = "") =>
  `<policies><inbound>${inbound}</inbound><backend /><outbound>${outbound}</outbound><on-error /></policies>`;
const setPolicy = (value: string, api = "orders") =>
  instance.bearer("PUT", gateway.at(`apis/${api}/policies/policy`), {
    body: { properties: { format: "rawxml", value } },
  });
const header = (name: string, value: string) =>
  `<set-header name="${name}"><value>${value}</value></set-header>`;

it("a header without a valid name is left out, and the server stays", async () => {
  const { status, headers, text } = await gateway.call("GET", "/hostile/x%20y%3A1");
  expect([status, text, headers.get("ok"), [...headers.keys()].includes("x y")]).toEqual([
    200,
    "late",
    "yes",
    false,
  ]);
});
it("neither a policy's answer nor a changed one sets cookies or rules of this server", async () => {
  const all =
    header("Set-Cookie", "medley_session=1") +
    header("Clear-Site-Data", '"*"') +
    header("Strict-Transport-Security", "max-age=9") +
    header("Service-Worker-Allowed", "/") +
    header("X-Kept", "yes");
  for (const policy of [policyOf(`<return-response>${all}</return-response>`), policyOf("", all)]) {
    expect((await setPolicy(policy)).status).toBeLessThan(300);
    const { headers } = await gateway.call("GET", "/orders/1");
    const names = [...headers.keys()].filter((name) => /cookie|clear|strict|worker|kept/.test(name));
    expect(names).toEqual(["x-kept"]);
  }
});
it.each(["Content-Length", "Transfer-Encoding", "bad name", "Connection"])(
  "no limit answers in the header '%s'",
  async (name) => {
    for (const attribute of ["remaining-calls-header-name", "retry-after-header-name"]) {
      const limit = `<rate-limit-by-key calls="9" renewal-period="60" counter-key="x" ${attribute}="${name}" />`;
      const { status, text } = await setPolicy(policyOf(limit));
      expect([status, text]).toEqual([400, expect.stringContaining(`The header '${name}' cannot be set.`)]);
    }
  },
);
it("texts that no header can hold are left out of answers to other origins", async () => {
  const exposed = "<expose-headers><header>\u2603</header></expose-headers>";
  const cors = `<cors><allowed-origins><origin>*</origin></allowed-origins>${exposed}</cors>`;
  for (const api of ["orders", "hostile"]) {
    expect((await setPolicy(policyOf(cors), api)).status).toBeLessThan(300);
    const headers = { origin: "http://page.test" };
    const answer = await gateway.call("GET", `/${api}/x%3A1`, { headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  }
});
