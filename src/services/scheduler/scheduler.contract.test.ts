/** Job collections over HTTP: the promised operations, plans, quotas, demo data and errors. */
import { expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import {
  schedulerClient as client,
  collectionBody,
  jobBody,
  helloAction as queueAction,
  schedulerServices as services,
  schedulerVersion as version,
} from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "job collections",
  (instance) => {
    const api = client(instance, "collections");

    it("are created with 201, updated with 200, read, listed and deleted with 200", async () => {
      const created = await api.put(
        "/Office",
        collectionBody({ sku: { name: "Standard" } }, { tags: { a: "1" } }),
      );
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: "/subscriptions/collections/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/Office",
        name: "Office",
        type: "Vendor.Scheduler/jobCollections",
        location: "West Europe",
        tags: { a: "1" },
        properties: {
          sku: { name: "Standard" },
          state: "Enabled",
          quota: { maxJobCount: 50, maxRecurrence: { frequency: "Minute", interval: 1 } },
        },
      });
      const updated = await api.put("/office", collectionBody({ quota: { maxJobCount: 3 } }));
      expect(updated.status).toBe(200);
      expect(updated.body.name).toBe("Office");
      expect(updated.body.properties.quota.maxJobCount).toBe(3);
      expect((await api.get("/OFFICE")).body).toEqual(updated.body);
      expect((await api.get("")).body.value).toEqual([updated.body]);
      const bySubscription = `/management/subscriptions/collections/providers/Vendor.Scheduler/jobCollections`;
      expect((await api.get(bySubscription)).body.value).toEqual([updated.body]);
      expect((await api.remove("/Office")).status).toBe(200);
      expect((await api.get("/Office")).body.error.code).toBe("ResourceNotFound");
      expect((await api.remove("/Office")).status).toBe(404);
    });

    it("merge what a PATCH says, and lose what it sets to null", async () => {
      await api.put(
        "/merged",
        collectionBody({ quota: { maxJobCount: 3, maxJobOccurrence: 7 } }, { tags: { a: "1" } }),
      );
      const { status, body } = await api.patch("/merged", {
        tags: { b: "2" },
        properties: { sku: { name: "p20premium" }, quota: { maxJobOccurrence: null } },
      });
      expect(status).toBe(200);
      expect(body.tags).toEqual({ a: "1", b: "2" });
      expect(body.properties.sku).toEqual({ name: "P20Premium" });
      expect(body.properties.quota).toEqual({
        maxJobCount: 3,
        maxRecurrence: { frequency: "Minute", interval: 1 },
      });
      expect((await api.patch("/nobody", { tags: {} })).status).toBe(404);
    });

    it("are switched off and on with 200", async () => {
      await api.put("/switched", collectionBody());
      expect((await api.post("/switched/disable")).status).toBe(200);
      expect((await api.get("/switched")).body.properties.state).toBe("Disabled");
      expect((await api.post("/switched/enable")).status).toBe(200);
      expect((await api.get("/switched")).body.properties.state).toBe("Enabled");
      expect((await api.post("/unknown/enable")).status).toBe(404);
    });

    it("refuse what is not well formed, and say where", async () => {
      const bad: [Record<string, unknown>, string][] = [
        [{ sku: { name: "Gold" } }, "sku.name must be one of"],
        [{ state: "Suspended" }, "state must be Enabled or Disabled"],
        [{ state: "Resting" }, "state must be Enabled or Disabled"],
        [{ quota: { maxJobCount: 51 } }, "quota.maxJobCount must be a whole number from 1 to 50"],
        [{ quota: { maxJobCount: 1.5 } }, "quota.maxJobCount"],
        [{ quota: { maxRecurrence: { interval: 1 } } }, "quota.maxRecurrence.frequency is required"],
        [{ quota: { maxRecurrence: { frequency: "Minute", interval: 0 } } }, "quota.maxRecurrence.interval"],
        [
          { sku: { name: "Free" }, quota: { maxRecurrence: { frequency: "Minute", interval: 5 } } },
          "more frequent",
        ],
      ];
      for (const [properties, says] of bad) {
        const { status, body } = await api.put("/bad", collectionBody(properties));
        expect([status, body.error.code]).toEqual([400, "InvalidJobCollection"]);
        expect(body.error.message).toContain(says);
        expect(body.error.target).toMatch(/^properties\./);
      }
      expect((await api.put("/bad", { properties: {} })).status).toBe(400);
      expect((await api.put("/bad", collectionBody({ quota: "much" }))).status).toBe(400);
      expect((await api.put("/bad%20name", collectionBody())).body.error.code).toBe("InvalidResourceName");
      expect((await api.get("/bad")).status).toBe(404);
    });

    it("appear in the resource catalogue with their tags, and leave it", async () => {
      const listed = async () =>
        (await instance().bearer("GET", "/_medley/resources?service=scheduler")).body.resources.filter(
          ({ name }: { name: string }) => name === "tagged",
        );
      await api.put("/tagged", collectionBody({}, { tags: { team: "blue" } }));
      expect(await listed()).toMatchObject([
        { type: "Vendor::Scheduler::JobCollection", tags: { team: "blue" } },
      ]);
      await api.remove("/tagged");
      expect(await listed()).toEqual([]);
    });

    it("keep the timers of their jobs when one is made to run too soon", async () => {
      await api.put("/timers", collectionBody());
      const recurrence = { frequency: "Day", interval: 1 };
      const startTime = new Date(instance().clock.nowMs() + 3_600_000).toISOString();
      const made = await api.put("/timers/jobs/daily", jobBody({ recurrence, startTime }));
      expect(made.status, made.text).toBe(201);
      const timers = async (state: string) => {
        const path = `/_medley/jobs?kind=scheduler.occurrence&state=${state}`;
        const { jobs } = (await instance().bearer("GET", path)).body;
        return jobs.filter(({ payload }: { payload: { jobKey: string } }) => /timers/i.test(payload.jobKey));
      };
      const [timer] = await timers("waiting");
      expect((await instance().bearer("POST", `/_medley/jobs/${timer.id}/retry`)).status).toBeLessThan(300);
      await eventually(async () => (await timers("done")).length === 1, "the early run's end");
      expect(await timers("waiting")).toMatchObject([{ runAt: timer.runAt }]);
      expect((await api.remove("/timers")).status).toBe(200);
    });
    it("need a known api-version and a credential", async () => {
      const path = `${api.group}/jobCollections`;
      expect((await instance().bearer("GET", path)).body.error.code).toBe("MissingApiVersionParameter");
      const old = await instance().bearer("GET", `${path}?api-version=1999-01-01`);
      expect(old.body.error.message).toContain("'2016-03-01'");
      expect((await instance().bearer("GET", `${path}?${version}`, { as: null })).status).toBe(401);
    });

    it("allow one free collection in a subscription, with a clear conflict", async () => {
      const free = client(instance, "freebies");
      expect((await free.put("/one", collectionBody({ sku: { name: "Free" } }))).status).toBe(201);
      const second = await free.put("/two", collectionBody({ sku: { name: "Free" } }));
      expect([second.status, second.body.error.code]).toEqual([409, "JobCollectionQuotaExceeded"]);
      expect(second.body.error.details).toMatchObject([{ code: "tooManyCollections" }]);
      expect((await free.put("/one", collectionBody({ sku: { name: "Free" } }))).status).toBe(200);
      expect((await free.put("/two", collectionBody())).status).toBe(201);
      await free.remove("/one");
      expect((await free.patch("/two", { properties: { sku: { name: "Free" } } })).status).toBe(200);
    });

    it("don't take on a plan or quota that their jobs don't fit", async () => {
      await api.put("/busy", collectionBody());
      const minutely = { recurrence: { frequency: "Minute", interval: 5, count: 20 } };
      for (const name of ["a", "b"]) await api.put(`/busy/jobs/${name}`, jobBody(minutely));
      const refused = async (properties: Record<string, unknown>) => {
        const { status, body } = await api.patch("/busy", { properties });
        return [status, body.error?.details.map(({ code }: { code: string }) => code)];
      };
      expect(await refused({ sku: { name: "Free" } })).toEqual([409, ["tooFrequent"]]);
      expect(await refused({ quota: { maxJobCount: 1 } })).toEqual([409, ["tooManyJobs"]]);
      expect(await refused({ quota: { maxJobOccurrence: 19 } })).toEqual([409, ["tooManyOccurrences"]]);
      expect(await refused({ quota: { maxJobOccurrence: 20, maxJobCount: 2 } })).toEqual([200, undefined]);
    });

    it("belong to one account", async () => {
      await api.put("/mine", collectionBody());
      const other = await api.get("/mine", { as: "second" });
      expect([other.status, other.body.error.code]).toEqual([404, "SubscriptionNotFound"]);
      expect((await api.put("/mine", collectionBody(), { as: "second" })).status).toBe(404);
      const own = client(instance, "seconds");
      expect((await own.put("/mine", collectionBody(), { as: "second" })).status).toBe(201);
      expect((await own.get("/mine")).status).toBe(404);
    });

    it("answer in the maker's words when asked in them", async () => {
      const makers = client(instance, "collections", "Microsoft.Scheduler");
      const { body } = await makers.put("/spelt", collectionBody());
      expect(body.type).toBe("Microsoft.Scheduler/jobCollections");
      expect(body.id).toContain("/providers/Microsoft.Scheduler/jobCollections/spelt");
      const job = await makers.put("/spelt/jobs/one", jobBody());
      expect([job.status, job.body.type]).toEqual([201, "Microsoft.Scheduler/jobCollections/jobs"]);
      expect((await api.get("/spelt/jobs/one")).body.type).toBe("Vendor.Scheduler/jobCollections/jobs");
      const message = '{"about":"Microsoft.Sql/servers"}';
      const action = { ...queueAction, queueMessage: { ...queueAction.queueMessage, message } };
      await makers.put("/spelt/jobs/one", jobBody({ action }));
      expect((await api.get("/spelt/jobs/one")).body.properties.action.queueMessage.message).toBe(message);
    });
  },
  { services },
);

onBothDatabases(
  "the scheduler's demo data",
  (instance) => {
    it("is loaded once, and the console shows it", async () => {
      const seed = () => instance().bearer("POST", "/_medley/seed", { body: { services: ["scheduler"] } });
      const { body: first } = await seed();
      expect([first.seeded, first.made[0].rows > 0]).toEqual([["scheduler"], true]);
      expect((await seed()).body).toEqual({ ...first, made: [{ ...first.made[0], rows: 0 }] });
      const jobs = `/management/subscriptions/00000000-0000-0000-0000-${accounts.first.id}/resourceGroups/demo/providers/Vendor.Scheduler/jobCollections/office/jobs`;
      const { body } = await instance().bearer("GET", `${jobs}?${version}`);
      expect(body.value.map(({ name }: { name: string }) => name)).toEqual([
        "office/health-check",
        "office/month-end",
        "office/nightly-report",
      ]);
      await instance().bearer("POST", `${jobs}/nightly-report/run?${version}`);
      await instance().clock.advance(0);
      const { text } = await instance().bearer("GET", "/_medley/views/scheduler");
      expect(text).toContain("office/nightly-report");
      expect(text).toContain("put into the storage queue demostorage/reports");
    });
  },
  { services },
);

onBothDatabases(
  "job collections that take time",
  (instance) => {
    const api = client(instance, "slow");

    it("answer 202 to enable, disable and delete, and say how it goes", async () => {
      await instance().clock.freeze();
      await api.put("/slow", collectionBody());
      const disabled = await api.post("/slow/disable");
      expect(disabled.status).toBe(202);
      const poll = disabled.headers.get("azure-asyncoperation")!;
      expect((await instance().bearer("GET", poll)).body.status).toBe("InProgress");
      expect((await api.post("/slow/enable")).status).toBe(409);
      await instance().clock.advance("5s");
      expect((await instance().bearer("GET", poll)).body.status).toBe("Succeeded");
      expect((await api.get("/slow")).body.properties.state).toBe("Disabled");
      expect((await api.post("/slow/enable")).status).toBe(202);
      await instance().clock.advance("5s");
      expect((await api.get("/slow")).body.properties.state).toBe("Enabled");
      await api.put("/slow/jobs/one", jobBody());
      const removed = await api.remove("/slow");
      expect(removed.status).toBe(202);
      expect((await api.get("/slow")).body.properties.state).toBe("Deleted");
      expect((await api.put("/slow/jobs/two", jobBody())).status).toBe(409);
      await instance().clock.advance("5s");
      expect((await api.get("/slow")).status).toBe(404);
      expect((await api.get("/slow/jobs/one")).body.error.code).toBe("ParentResourceNotFound");
      expect((await instance().bearer("GET", removed.headers.get("location")!)).status).toBe(204);
    });
  },
  { services, provisioningSeconds: 5 },
);
