/** A gateway before a backend, as tests of it need one. */
import { expect } from "vitest";
import type { Backend } from "./backend.ts";
import { eventually } from "./eventually.ts";
import type { Instance } from "./medley.ts";

const VERSION = "api-version=2019-12-01-preview";

let count = 0;
/** An instance of its own, with what one needs to fill it. */
export function newGateway(instance: () => Instance, backend: Pick<Backend, "url">) {
  count += 1;
  const name = `shop${count}`;
  const root = `/management/subscriptions/gateways/resourceGroups/apis/providers/Vendor.ApiManagement/service/${name}`;
  const at = (path: string): string => `${root}/${path}?${VERSION}`;
  const put = async (path: string, properties: object) => {
    const made = await instance().bearer("PUT", at(path), { body: { properties } });
    expect([path, made.status, made.body]).toEqual([
      path,
      expect.toSatisfy((status) => status < 300),
      made.body,
    ]);
    return made.body;
  };
  const api = (properties: object = {}, id = "orders") =>
    put(`apis/${id}`, {
      path: id,
      displayName: id,
      serviceUrl: `${backend.url}/v1`,
      subscriptionRequired: false,
      ...properties,
    });
  const call = (method: string, path: string, options = {}) =>
    instance().send(method, `/gateway/${name}${path}`, options);
  const messages = async (kind: string) => {
    const { body } = await instance().bearer("GET", `/_medley/outbox?kind=${kind}&limit=1000`);
    return body.messages.filter(({ target }: { target: string }) => target.includes(`/${name}/`));
  };
  /** So many, once they are there. */
  const logged = async (wanted: number, kind = "applicationInsights") => {
    let records: any[] = [];
    await eventually(async () => {
      const sent = await messages(kind);
      records = sent
        .filter(({ subject }: { subject: string }) => subject === "GatewayLogs")
        .flatMap(({ body }: { body: any }) => (typeof body === "string" ? JSON.parse(body) : body).records);
      return records.length >= wanted;
    }, `${wanted} records`);
    expect(records).toHaveLength(wanted);
    return records;
  };
  return { name, root, at, put, api, call, logged, messages };
}
