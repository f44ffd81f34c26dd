/** Slow work of one kind or account leaves room for all other work: forty calls that hang, and everybody else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, pause } from "../../../tests/support/eventually.ts";
import { type HttpReceiver, startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import {
  type AccountName,
  type DatabaseKind,
  type Instance,
  startInstance,
} from "../../../tests/support/medley.ts";

const SCHEDULER = "api-version=2016-03-01";
const SQL = "api-version=2017-10-01-preview";
const HANGING = 40;
const collectionOf = (as: AccountName) =>
  `/management/subscriptions/fair-${as}/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c`;

describe.each(["sqlite", "postgres"] as const)("forty calls that hang on %s", (on: DatabaseKind) => {
  let instance: Instance;
  let receiver: HttpReceiver;
  const mostHanging = () => receiver.mostAtOnce.get("/hang") ?? 0;
  const put = async (path: string, body: unknown, as: AccountName = "first") => {
    const { status, text } = await instance.bearer("PUT", path, { body, as });
    expect(status, text).toBeLessThan(300);
  };
  const putJob = (name: string, to: string, as: AccountName = "first") =>
    put(
      `${collectionOf(as)}/jobs/${name}?${SCHEDULER}`,
      { properties: { action: { type: "Http", request: { uri: `${receiver.url}/${to}`, method: "GET" } } } },
      as,
    );

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    receiver.reply = ({ url }) => ({ status: 200, ...(url === "/hang" && { delayMs: 3_600_000 }) });
    instance = await startInstance({
      on,
      services: ["scheduler", "sql-databases", "resource-manager"],
      provisioningSeconds: 0.2,
    });
    for (const as of ["first", "second"] as const)
      await put(`${collectionOf(as)}?${SCHEDULER}`, { location: "westus", properties: {} }, as);
    await eventually(async () => {
      const { body } = await instance.bearer("GET", `${collectionOf("second")}?${SCHEDULER}`, {
        as: "second",
      });
      return body.properties.state === "Enabled";
    });
    for (let index = 0; index < HANGING; index += 1) await putJob(`hang-${index}`, "hang");
    await eventually(() => mostHanging() >= 12);
  });
  afterAll(async () => {
    await receiver.stop();
    await instance.stop();
  });

  it("take no more than their account's share", async () => {
    await pause(500);
    expect(mostHanging()).toBe(12);
  });

  it("do not delay another service's work", async () => {
    const database = `/management/subscriptions/fair-first/resourceGroups/rg/providers/Vendor.Sql/servers/s/databases/d?${SQL}`;
    await put(database, { location: "westus" });
    await eventually(
      async () => (await instance.bearer("GET", database)).body.properties.status === "Online",
    );
    expect(mostHanging()).toBe(12);
  });

  it("do not delay another account's calls", async () => {
    for (let index = 0; index < 6; index += 1) await putJob(`quick-${index}`, `quick-${index}`, "second");
    await eventually(() => receiver.received.filter(({ url }) => url.startsWith("/quick")).length === 6);
    expect(mostHanging()).toBe(12);
  });
});
