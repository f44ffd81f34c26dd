/** What nobody should send: everything is refused with a clear error or understood, and nothing breaks. */
import { beforeAll, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  collectionBody,
  helloAction,
  jobBody,
  later,
  schedulerClient,
  schedulerServices,
  schedulerVersion,
} from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "odd input",
  (instance) => {
    const api = schedulerClient(instance, "odd");
    beforeAll(async () => {
      expect((await api.put("/c", collectionBody())).status).toBe(201);
    });

    it.each([
      ["a year before all years", { startTime: "0000-01-01T00:00:00+14:00" }],
      ["an end after all years", { recurrence: { frequency: "Day", endTime: "9999-12-31T23:59:59-14:00" } }],
      ["a nested action", { action: { type: "Http", request: { uri: ["http://a"], headers: [] } } }],
      ["an action that is a text", { action: "Http" }],
      ["a schedule that is a list", { recurrence: { frequency: "Day", schedule: [1] } }],
      ["a huge count", { recurrence: { frequency: "Day", count: 1e300 } }],
      ["a fractional interval", { recurrence: { frequency: "Day", interval: 0.5 } }],
      ["hours that are objects", { recurrence: { frequency: "Day", schedule: { hours: [{}] } } }],
      ["a zone that is none", { recurrence: { frequency: "Day", timeZone: "x".repeat(5_000) } }],
      ["a state that is a number", { state: 1 }],
      [
        "headers that cannot be sent",
        { action: { type: "Http", request: { uri: "http://a", headers: { "a b": "c" } } } },
      ],
      ["an address with a password", { action: { type: "Http", request: { uri: "http://a:b@c/" } } }],
    ])("refuses %s with 400", async (what, properties) => {
      const path = `/c/jobs/${what.replaceAll(" ", "-")}`;
      const answered = await api.put(path, jobBody(properties as Record<string, unknown>));
      expect(answered.status, answered.text).toBe(400);
      expect(answered.body.error.code).toEqual(expect.any(String));
      expect((await api.get(path)).status).toBe(404);
    });
    it("ignores what only the service may set", async () => {
      const made = await api.put("/c/jobs/readonly", {
        id: "/x",
        name: "other",
        type: "y",
        properties: { startTime: later, action: helloAction, status: { executionCount: 99 } },
      });
      expect(made.body).toMatchObject({
        name: "c/readonly",
        type: "Vendor.Scheduler/jobCollections/jobs",
        properties: { status: { executionCount: 0 } },
      });
    });
    it.each([
      "$top=0",
      "$top=101",
      "$top=x",
      "$skip=-1",
      "$filter=state%20eq",
      "$filter=colour%20eq%20'red'",
    ])("refuses %s in both lists", async (query) => {
      await api.put("/c/jobs/listed", jobBody());
      expect((await api.get(`/c/jobs?${query}`)).status).toBe(400);
      expect((await api.get(`/c/jobs/listed/history?${query}`)).status).toBe(400);
    });
    it("takes JSON under its older name as well", async () => {
      const path = `${api.group}/jobCollections/c/jobs/text?${schedulerVersion}`;
      const made = await instance().bearer("PUT", path, {
        body: JSON.stringify(jobBody()),
        headers: { "content-type": "text/json; charset=utf-8" },
      });
      expect(made.status, made.text).toBe(201);
    });
    it("does not pretend to move a collection", async () => {
      const moved = await api.patch("/c", { location: "East US" });
      expect([moved.status, moved.body.error?.code]).toEqual([409, "InvalidResourceLocation"]);
      expect((await api.patch("/c", { location: "westeurope" })).status).toBe(200);
    });
    it("sends no token that a stored secret gets to another place", async () => {
      const job = (uri: string, secret?: string) => {
        const authentication = {
          type: "ActiveDirectoryOAuth",
          tenant: "t",
          audience: "a",
          clientId: "c",
          ...(secret !== undefined && { secret }),
        };
        return jobBody({ action: { type: "Https", request: { uri, authentication } } });
      };
      expect((await api.put("/c/jobs/oauth", job("https://one.example/a", "s"))).status).toBe(201);
      expect((await api.put("/c/jobs/oauth", job("https://one.example/b"))).status).toBe(200);
      const elsewhere = await api.put("/c/jobs/oauth", job("https://two.example/a"));
      expect([elsewhere.status, elsewhere.body.error.target]).toEqual([
        400,
        "properties.action.request.authentication.secret",
      ]);
    });
    it("lets no more jobs in than there is room for, however many come at once", async () => {
      await api.put("/full", collectionBody({ quota: { maxJobCount: 5 } }));
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => api.put(`/full/jobs/j${index}`, jobBody())),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
      expect((await api.get("/full/jobs")).body.value).toHaveLength(5);
    });
    it("answers at the root in the maker's words", async () => {
      const path = `${api.group}/jobCollections/c/jobs`.replace("/management", "");
      const { status, body } = await instance().bearer(
        "GET",
        `${path.replace("Vendor.", "Microsoft.")}?${schedulerVersion}&$top=1`,
      );
      expect(status).toBe(200);
      expect(body.value[0].type).toBe("Microsoft.Scheduler/jobCollections/jobs");
      expect(new URL(body.nextLink).pathname.startsWith("/subscriptions/")).toBe(true);
      const next = await instance().bearer("GET", body.nextLink);
      expect([next.status, next.body.value[0].name]).not.toEqual([200, body.value[0].name]);
    });
  },
  { services: schedulerServices },
);
