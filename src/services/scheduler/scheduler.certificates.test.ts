/** Jobs that identify themselves by a certificate, at a real HTTPS server that lets in nobody else. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEphemeralAuthority } from "#kernel/tls";
import {
  clientCertificatePassword,
  clientCertificatePem,
  clientCertificatePfx,
  clientCertificateThumbprint,
} from "../../../tests/support/client-certificate.ts";
import { type Instance, onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

const version = "api-version=2016-03-01";
const services = ["scheduler", "resource-manager"];
const path = "/management/subscriptions/mutual/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c";
const authority = await createEphemeralAuthority({ hosts: ["localhost"], nowMs: Date.now() });

type Visit = { readonly path: string; readonly commonName: string; readonly thumbprint: string };
const visits: Visit[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  const { certificatePem: cert, keyPem: key } = authority;
  const demanding = { cert, key, ca: [clientCertificatePem], requestCert: true, rejectUnauthorized: true };
  server = createServer(demanding, (request, response) => {
    const { subject, fingerprint } = (request.socket as TLSSocket).getPeerCertificate();
    visits.push({
      path: request.url ?? "",
      commonName: String(subject.CN),
      thumbprint: fingerprint.replaceAll(":", ""),
    });
    response.end("let in");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  visits.length = 0;
});

const authentication = {
  type: "ClientCertificate",
  pfx: clientCertificatePfx,
  password: clientCertificatePassword,
};
async function send(instance: Instance, method: string, below: string, body?: unknown) {
  const answered = await instance.bearer(method, `${path}${below}?${version}`, { body });
  expect(answered.status, answered.text).toBeLessThan(300);
  return answered.body;
}
const putJob = (instance: Instance, name: string, request: Record<string, unknown>) =>
  send(instance, "PUT", `/jobs/${name}`, {
    properties: {
      action: {
        type: "Https",
        request: { uri: `${url}/${name}`, method: "POST", ...request },
        retryPolicy: { retryType: "None" },
      },
    },
  });
async function outcomesOf(instance: Instance, name: string): Promise<[string, string][]> {
  const { value } = await send(instance, "GET", `/jobs/${name}/history`);
  return value.map(({ properties }: { properties: { status: string; message: string } }) => [
    properties.status,
    properties.message,
  ]);
}

onBothDatabases(
  "a job with a client certificate",
  (instance) => {
    beforeAll(async () => {
      await instance().clock.freeze();
      await send(instance(), "PUT", "", { location: "westus", properties: {} });
    });

    it("presents it to a server that demands one", async () => {
      const { properties } = await putJob(instance(), "certified", { authentication });
      expect(properties.action.request.authentication).toMatchObject({
        certificateThumbprint: clientCertificateThumbprint,
        certificateSubjectName: expect.stringContaining("CN=scheduler client"),
      });
      await instance().clock.advance(0);
      expect(visits).toEqual([
        { path: "/certified", commonName: "scheduler client", thumbprint: clientCertificateThumbprint },
      ]);
      expect(await outcomesOf(instance(), "certified")).toEqual([
        ["Completed", `POST ${url}/certified answered 200. Body: let in`],
      ]);
    });

    it("still presents it after its definition was sent back without the certificate", async () => {
      const { properties } = await putJob(instance(), "kept", { authentication });
      await send(instance(), "PUT", "/jobs/kept", { properties });
      await send(instance(), "POST", "/jobs/kept/run");
      await instance().clock.advance(0);
      expect(visits.at(-1)).toMatchObject({ path: "/kept", thumbprint: clientCertificateThumbprint });
    });

    it("is not presented to another server, so a new address needs it again", async () => {
      const { properties } = await putJob(instance(), "moved", { authentication });
      await instance().clock.advance(0);
      const { request } = properties.action;
      const moved = { ...request, uri: "https://127.0.0.1:1/moved" };
      const answered = await instance().bearer("PUT", `${path}/jobs/moved?${version}`, {
        body: { properties: { ...properties, action: { ...properties.action, request: moved } } },
      });
      expect([answered.status, answered.text]).toEqual([400, expect.stringContaining("pfx")]);
      await send(instance(), "DELETE", "/jobs/moved");
    });

    it("is refused by that server without one, and says so", async () => {
      await putJob(instance(), "nameless", {});
      await instance().clock.advance(0);
      expect(visits).toEqual([]);
      expect(await outcomesOf(instance(), "nameless")).toEqual([
        ["Failed", expect.stringMatching(/No secure connection to localhost:\d+: .*certificate required/i)],
      ]);
    });
  },
  { services, outboundAuthorities: [authority.certificateAuthorityPem] },
);

describe("a server whose authority nobody vouches for", () => {
  it("is not spoken to; the history says why", async () => {
    const instance = await startInstance({ services });
    await instance.clock.freeze();
    await send(instance, "PUT", "", { location: "westus", properties: {} });
    await putJob(instance, "untrusted", { authentication });
    await instance.clock.advance(0);
    expect(visits).toEqual([]);
    expect(await outcomesOf(instance, "untrusted")).toEqual([
      [
        "Failed",
        expect.stringMatching(
          /^The request was not answered: No secure connection to localhost:\d+: its certificate is not trusted \(.+\)$/,
        ),
      ],
    ]);
    await instance.stop();
  });
});
