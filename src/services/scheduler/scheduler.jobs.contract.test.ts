/** Jobs over HTTP: the promised operations, secrets, quotas, filters, pages and errors. */
import { beforeAll, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  schedulerClient as client,
  collectionBody,
  jobBody,
  later,
  helloAction as queueAction,
  schedulerServices as services,
} from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "jobs",
  (instance) => {
    const api = client(instance, "jobs");
    beforeAll(async () => {
      await instance().clock.freeze();
      await api.put("/c", collectionBody());
    });

    it("are created with 201, updated with 200, read, listed and deleted with 200", async () => {
      const created = await api.put(
        "/c/jobs/Report",
        jobBody({ recurrence: { frequency: "day", count: 3 } }),
      );
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: "/subscriptions/jobs/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c/jobs/Report",
        name: "c/Report",
        type: "Vendor.Scheduler/jobCollections/jobs",
        properties: {
          startTime: later,
          state: "Enabled",
          action: queueAction,
          recurrence: { frequency: "Day", interval: 1, count: 3 },
          status: { executionCount: 0, failureCount: 0, faultedCount: 0, nextExecutionTime: later },
        },
      });
      const updated = await api.put("/c/jobs/report", jobBody());
      expect(updated.status).toBe(200);
      expect(updated.body.properties.recurrence).toBeUndefined();
      expect((await api.get("/c/jobs/REPORT")).body).toEqual(updated.body);
      expect((await api.get("/c/jobs")).body.value).toEqual([updated.body]);
      expect((await api.remove("/c/jobs/Report")).status).toBe(200);
      expect((await api.get("/c/jobs/Report")).status).toBe(404);
      expect((await api.remove("/c/jobs/Report")).status).toBe(404);
      expect((await api.get("/nobody/jobs")).body.error.code).toBe("ParentResourceNotFound");
      expect((await api.put("/nobody/jobs/one", jobBody())).body.error.code).toBe("ParentResourceNotFound");
    });

    it("merge what a PATCH says", async () => {
      await api.put("/c/jobs/merged", jobBody({ recurrence: { frequency: "Hour", interval: 2 } }));
      const { status, body } = await api.patch("/c/jobs/merged", {
        properties: {
          state: "disabled",
          recurrence: { interval: 3 },
          action: { queueMessage: { message: "bye" } },
        },
      });
      expect(status).toBe(200);
      expect(body.properties.state).toBe("Disabled");
      expect(body.properties.recurrence).toEqual({ frequency: "Hour", interval: 3 });
      expect(body.properties.action.queueMessage).toEqual({ ...queueAction.queueMessage, message: "bye" });
      expect(body.properties.status.nextExecutionTime).toBeUndefined();
      const once = await api.patch("/c/jobs/merged", { properties: { recurrence: null, state: "Enabled" } });
      expect(once.body.properties.recurrence).toBeUndefined();
      expect(once.body.properties.status.nextExecutionTime).toBeDefined();
      await api.remove("/c/jobs/merged");
    });

    it("keep secrets to themselves, and keep them when a definition is sent back as it was read", async () => {
      const request = {
        uri: "https://www.example.org/a?x=1",
        method: "post",
        headers: { "x-count": 3 },
        body: "text",
        authentication: { type: "basic", username: "ann", password: "s3cret-password" },
      };
      const action = {
        type: "https",
        request,
        errorAction: {
          type: "ServiceBusQueue",
          serviceBusQueueMessage: {
            namespace: "bus",
            queueName: "q",
            message: "m",
            transportType: "amqp",
            authentication: { type: "sharedAccessKey", sasKeyName: "root", sasKey: "s3cret-sas" },
            brokeredMessageProperties: { label: "l", timeToLive: "PT1H", forcePersistence: true },
          },
        },
      };
      const created = await api.put("/c/jobs/secret", jobBody({ action }));
      expect(created.status).toBe(201);
      expect(created.text).not.toContain("s3cret");
      const shown = created.body.properties.action;
      expect(shown.type).toBe("Https");
      expect(shown.request).toEqual({
        uri: request.uri,
        method: "POST",
        headers: { "x-count": "3" },
        body: "text",
        authentication: { type: "Basic", username: "ann" },
      });
      expect(shown.errorAction.serviceBusQueueMessage.authentication).toEqual({
        type: "SharedAccessKey",
        sasKeyName: "root",
      });
      expect((await api.put("/c/jobs/secret", { properties: created.body.properties })).status).toBe(200);
      expect((await api.get("/c/jobs/secret")).text).not.toContain("s3cret");
      const elsewhere = await api.patch("/c/jobs/secret", {
        properties: { action: { request: { uri: "https://thief.example.net/" } } },
      });
      expect([elsewhere.status, elsewhere.body.error.target]).toEqual([
        400,
        "properties.action.request.authentication.password",
      ]);
      const state = await instance().bearer("GET", "/_medley/state?service=scheduler");
      expect(state.status).toBe(200);
      expect(state.text).toContain("/jobs/secret");
      expect(state.text).not.toContain("s3cret");
      await api.remove("/c/jobs/secret");
    });

    it("refuse what is not well formed, and say where", async () => {
      const http = (request: Record<string, unknown>, type = "Http") => ({ action: { type, request } });
      const authenticated = (authentication: unknown) => http({ uri: "https://x.org", authentication });
      const bad: [Record<string, unknown>, string][] = [
        [{ action: undefined }, "properties.action"],
        [{ action: { type: "Mail" } }, "properties.action.type"],
        [{ action: { type: "Http" } }, "properties.action.request"],
        [http({ uri: "ftp://x.org" }), "properties.action.request.uri"],
        [http({ uri: "http://u:p@x.org" }), "properties.action.request.uri"],
        [http({ uri: "http://x.org" }, "Https"), "properties.action.request.uri"],
        [http({ uri: "http://x.org", method: "TRACE" }), "properties.action.request.method"],
        [http({ uri: "http://x.org", headers: { "a b": "c" } }), "properties.action.request.headers"],
        [http({ uri: "http://x.org", headers: { a: "b\r\nc: d" } }), "properties.action.request.headers"],
        [
          http({
            uri: "http://x.org",
            headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`h${i}`, "x"])),
          }),
          "properties.action.request.headers",
        ],
        [http({ uri: "http://x.org", body: "x".repeat(8193) }), "properties.action.request.body"],
        [authenticated({ type: "Digest" }), "properties.action.request.authentication.type"],
        [
          authenticated({ type: "Basic", username: "a" }),
          "properties.action.request.authentication.password",
        ],
        [authenticated({ type: "ClientCertificate" }), "properties.action.request.authentication.pfx"],
        [
          authenticated({ type: "ClientCertificate", pfx: "AAAA" }),
          "properties.action.request.authentication.pfx",
        ],
        [
          authenticated({ type: "ActiveDirectoryOAuth", tenant: "t", audience: "a", clientId: "c" }),
          "properties.action.request.authentication.secret",
        ],
        [
          { action: { ...queueAction, retryPolicy: { retryType: "Fixed", retryInterval: "PT14S" } } },
          "properties.action.retryPolicy.retryInterval",
        ],
        [
          { action: { ...queueAction, retryPolicy: { retryType: "Fixed", retryCount: 21 } } },
          "properties.action.retryPolicy.retryCount",
        ],
        [
          { action: { ...queueAction, errorAction: { type: "Http" } } },
          "properties.action.errorAction.request",
        ],
        [
          { action: { type: "ServiceBusTopic", serviceBusTopicMessage: { namespace: "n", message: "m" } } },
          "properties.action.serviceBusTopicMessage.topicPath",
        ],
        [{ startTime: "tomorrow" }, "properties.startTime"],
        [{ startTime: "2199-01-01T00:00:00Z" }, "properties.startTime"],
        [{ recurrence: { interval: 2 } }, "properties.recurrence.frequency"],
        [{ recurrence: { frequency: "Day", interval: 0 } }, "properties.recurrence.interval"],
        [
          { recurrence: { frequency: "Day", endTime: "2001-01-01T00:00:00Z" } },
          "properties.recurrence.endTime",
        ],
        [
          { recurrence: { frequency: "Day", schedule: { hours: [24] } } },
          "properties.recurrence.schedule.hours[0]",
        ],
        [{ state: "Completed" }, "properties.state"],
        [{ state: "Sleeping" }, "properties.state"],
      ];
      for (const [properties, target] of bad) {
        const { status, body } = await api.put("/c/jobs/bad", jobBody(properties));
        expect([status, body.error.code, body.error.target]).toEqual([400, "InvalidJob", target]);
      }
      for (const path of ["/c/jobs/a%00b", "/c%00/jobs/a", "/c/jobs?$filter=%00", "/c/jobs?$skipToken=%00"])
        expect([path, (await api.get(path)).status >= 500]).toEqual([path, false]);
      expect((await api.put("/nul", collectionBody({}, { location: "a\0b" }))).status).toBeLessThan(500);
      const malformed = [{}, { properties: "x" }, { properties: { action: 7 } }, "[", []];
      for (const body of malformed) expect((await api.put("/c/jobs/bad", body)).status).toBe(400);
      const sized = (message: string) => {
        const action = { ...queueAction, queueMessage: { ...queueAction.queueMessage, message } };
        return api.put("/c/jobs/bad", jobBody({ action }));
      };
      const { body } = await sized("é".repeat(8_200));
      expect(body.error.code).toBe("JobTooLarge");
      const others = Number(/this one has (\d+)/.exec(body.error.message)?.[1]) - 2 * 8_200;
      expect((await sized("x".repeat(16_385 - others))).body.error.code).toBe("JobTooLarge");
      expect((await api.get("/c/jobs/bad")).status).toBe(404);
      expect((await sized("x".repeat(16_384 - others))).status).toBe(201);
      expect((await api.remove("/c/jobs/bad")).status).toBe(200);
    });

    it("conflict with the quota of their collection", async () => {
      await api.put("/tight", collectionBody({ quota: { maxJobCount: 2, maxJobOccurrence: 5 } }));
      const codes = async (name: string, properties: Record<string, unknown>) => {
        const { status, body } = await api.put(`/tight/jobs/${name}`, jobBody(properties));
        return [status, body.error?.code, body.error?.details.map(({ code }: { code: string }) => code)];
      };
      expect(await codes("a", { recurrence: { frequency: "Day", count: 6 } })).toEqual([
        409,
        "JobQuotaExceeded",
        ["tooManyOccurrences"],
      ]);
      expect((await codes("a", { recurrence: { frequency: "Day", count: 5 } }))[0]).toBe(201);
      expect((await codes("b", {}))[0]).toBe(201);
      expect(await codes("c", {})).toEqual([409, "JobQuotaExceeded", ["tooManyJobs"]]);
      expect((await codes("b", {}))[0]).toBe(200);
      await api.remove("/tight/jobs/a");
      expect((await codes("c", {}))[0]).toBe(201);
      const free = client(instance, "free-jobs");
      await free.put("/free", collectionBody({ sku: { name: "Free" } }));
      const often = await free.put(
        "/free/jobs/often",
        jobBody({ recurrence: { frequency: "Minute", interval: 30 } }),
      );
      expect(often.body.error.details).toMatchObject([{ code: "tooFrequent" }]);
      const authentication = { type: "Basic", username: "a", password: "b" };
      const known = await free.put(
        "/free/jobs/known",
        jobBody({ action: { type: "Http", request: { uri: "http://x.org", authentication } } }),
      );
      expect(known.body.error.details).toMatchObject([{ code: "authenticationNotInPlan" }]);
      expect(
        (await free.put("/free/jobs/hourly", jobBody({ recurrence: { frequency: "Hour" } }))).status,
      ).toBe(201);
    });

    it("are listed in pages, by state, with links that lead on", async () => {
      await api.put("/many", collectionBody());
      for (let i = 0; i < 12; i += 1)
        await api.put(
          `/many/jobs/job-${String(i).padStart(2, "0")}`,
          jobBody({ state: i % 3 === 0 ? "Disabled" : "Enabled" }),
        );
      const names = ({ body }: { body: { value: { name: string }[] } }) =>
        body.value.map(({ name }) => name.slice(-2));
      const first = await api.get("/many/jobs?$top=5");
      expect(names(first)).toEqual(["00", "01", "02", "03", "04"]);
      const second = await instance().bearer("GET", first.body.nextLink);
      expect(names(second)).toEqual(["05", "06", "07", "08", "09"]);
      const third = await instance().bearer("GET", second.body.nextLink);
      expect([names(third), third.body.nextLink]).toEqual([["10", "11"], undefined]);
      expect(names(await api.get("/many/jobs?$top=2&$skip=3"))).toEqual(["03", "04"]);
      const off = await api.get(`/many/jobs?$filter=${encodeURIComponent("state eq 'disabled'")}`);
      expect(names(off)).toEqual(["00", "03", "06", "09"]);
      const on = await api.get(
        `/many/jobs?$top=3&$skip=1&$filter=${encodeURIComponent("properties/state ne 'Disabled'")}`,
      );
      expect(names(on)).toEqual(["02", "04", "05"]);
      expect(names(await instance().bearer("GET", on.body.nextLink))).toEqual(["07", "08", "10"]);
      for (const query of ["$top=0", "$top=101", "$top=x", "$skip=-1"])
        expect((await api.get(`/many/jobs?${query}`)).status).toBe(400);
      for (const filter of ["state", "state eq", "name eq 'x'", "state eq 5"]) {
        const { status, body } = await api.get(`/many/jobs?$filter=${encodeURIComponent(filter)}`);
        expect([status, body.error.code]).toEqual([400, "InvalidFilter"]);
      }
      expect((await api.get("/many/jobs?$skipToken=abc")).status).toBe(400);
    });

    it("can be run by hand, which leaves schedule and state alone", async () => {
      await api.put("/c/jobs/manual", jobBody({ state: "Disabled" }));
      expect((await api.post("/c/jobs/manual/run")).status).toBe(200);
      await instance().clock.advance(0);
      const { properties } = (await api.get("/c/jobs/manual")).body;
      expect(properties.state).toBe("Disabled");
      expect(properties.status).toMatchObject({ executionCount: 1, failureCount: 0 });
      expect(await api.history("/c/jobs/manual")).toMatchObject([
        {
          name: "c/manual/1",
          type: "Vendor.Scheduler/jobCollections/jobs/history",
          properties: { actionName: "MainAction", status: "Completed", retryCount: 0, repeatCount: 0 },
        },
      ]);
      await api.post("/c/disable");
      expect((await api.post("/c/jobs/manual/run")).body.error.code).toBe("JobCollectionNotEnabled");
      await api.post("/c/enable");
      expect((await api.post("/c/jobs/nobody/run")).status).toBe(404);
      await api.remove("/c/jobs/manual");
      expect((await api.get("/c/jobs/manual/history")).status).toBe(404);
    });

    it("are another account's business to nobody else", async () => {
      await api.put("/c/jobs/mine", jobBody());
      expect((await api.get("/c/jobs/mine", { as: "second" })).status).toBe(404);
      expect((await api.get("/c/jobs/mine/history", { as: "second" })).status).toBe(404);
      expect((await api.post("/c/jobs/mine/run", { as: "second" })).status).toBe(404);
      expect((await api.remove("/c/jobs/mine", { as: "second" })).status).toBe(404);
    });
  },
  { services },
);
