/** Slow work of one kind or account leaves room for all other work: forty calls that hang, and everybody else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const waiting = () => receiver.received.filter(({ url }) => url === "/hang").length;
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
  const within = async (ms: number, check: () => boolean | Promise<boolean>) => {
    const untilMs = Date.now() + ms;
    while (!(await check())) {
      expect(Date.now(), "it did not come about in time").toBeLessThan(untilMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    receiver.reply = ({ url }) => ({ status: 200, ...(url === "/hang" && { delayMs: 60_000 }) });
    instance = await startInstance({
      on,
      services: ["scheduler", "sql-databases", "resource-manager"],
      provisioningSeconds: 0.2,
    });
    for (const as of ["first", "second"] as const)
      await put(`${collectionOf(as)}?${SCHEDULER}`, { location: "westus", properties: {} }, as);
    await within(5_000, async () => {
      const { body } = await instance.bearer("GET", `${collectionOf("second")}?${SCHEDULER}`, {
        as: "second",
      });
      return body.properties.state === "Enabled";
    });
    for (let index = 0; index < HANGING; index += 1) await putJob(`hang-${index}`, "hang");
    await within(10_000, () => waiting() >= 12);
  });
  afterAll(async () => {
    await receiver.stop();
    await instance.stop();
  });

  it("take no more than their account's share", async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(waiting()).toBe(12);
  });

  it("do not delay another service's work", async () => {
    const database = `/management/subscriptions/fair-first/resourceGroups/rg/providers/Vendor.Sql/servers/s/databases/d?${SQL}`;
    await put(database, { location: "westus" });
    await within(
      3_000,
      async () => (await instance.bearer("GET", database)).body.properties.status === "Online",
    );
    expect(waiting()).toBe(12);
  });

  it("do not delay another account's calls", async () => {
    for (let index = 0; index < 6; index += 1) await putJob(`quick-${index}`, `quick-${index}`, "second");
    await within(3_000, () => receiver.received.filter(({ url }) => url.startsWith("/quick")).length === 6);
    expect(waiting()).toBe(12);
  });
});
