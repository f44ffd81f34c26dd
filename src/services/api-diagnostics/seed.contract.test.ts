/** Demo data: a gateway that is called, by a job, as a client calls it. */
import { expect, it } from "vitest";
import { demoSubscriptionOf } from "#kernel/resource-provider";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const root = `/management/subscriptions/${demoSubscriptionOf(accounts.first.id)}/resourceGroups/apis-rg/providers/Vendor.ApiManagement/service/shop-apis`;
onBothDatabases(
  "demo data",
  (instance) => {
    const seed = async (body: object = {}) =>
      (await instance().bearer("POST", "/_medley/seed", { body })).body.made;
    const jobOf = async () => {
      const { body } = await instance().bearer("GET", "/_medley/jobs?service=api-diagnostics&limit=100");
      return body.jobs.find((one: { job: string }) => one.job === "api-diagnostics.demo-traffic");
    };

    it("is there once, and its gateway answers from this server", async () => {
      expect((await seed())[0].rows).toBeGreaterThan(3);
      expect((await seed())[0].rows).toBe(0);
      await eventually(async () => (await jobOf())?.state === "done");
      const { status, body } = await instance().bearer("GET", "/gateway/shop-apis/status");
      expect(status).toBe(200);
      expect(body).toEqual(expect.objectContaining({ status: expect.any(String) }));
    });
    it("has traffic of several kinds, and what its diagnostics keep of it is in the outbox", async () => {
      const { body } = await instance().bearer("GET", `${root}/traffic?api-version=2019-12-01-preview`);
      const seen = body.value.map((one: { method: string; status: number }) => `${one.method} ${one.status}`);
      expect(seen).toEqual(expect.arrayContaining(["GET 200", "HEAD 200", "GET 404", "POST 405"]));
      await eventually(async () => {
        const outbox = await instance().bearer("GET", "/_medley/outbox?service=api-diagnostics&limit=10");
        return outbox.body.messages.length > 0;
      });
    });
  },
  { services: ["api-diagnostics"] },
);
