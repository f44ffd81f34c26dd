/**
 * Resources of other services are restored in place and under a new name. The test compares digests of all
 * data that clients can see, on both databases.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { account, Backups, folderArn, pointPath } from "../../../tests/support/backup.ts";
import { type As, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FaceStage, faceMaker } from "../../../tests/support/face.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { authoring } from "../../../tests/support/language.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const digestOf = (shown: unknown): string => createHash("sha256").update(JSON.stringify(shown)).digest("hex");

onBothDatabases(
  "content of other services",
  (instance, kind) => {
    const backups = new Backups(instance);
    beforeAll(() => backups.vault("main"));

    const refusal = async (point: string, metadata: Record<string, string>): Promise<string> => {
      const job = await backups.restored(point, metadata);
      expect(job.Status).toBe("FAILED");
      return job.StatusMessage;
    };
    const listed = async (type: string): Promise<string[]> => {
      const { body } = await instance().bearer("GET", `/_medley/resources?type=${type}`);
      return body.resources.map(({ arn }: { arn: string }) => arn);
    };

    it("a configuration store comes back with key-values, locks, revisions and snapshots, in place and anew", async () => {
      const id = `/subscriptions/backup-${kind}/resourceGroups/shop/providers/Vendor.AppConfiguration/configurationStores/shop-${kind}`;
      const arm = (method: string, path: string, body?: object) =>
        instance().bearer(method, `/management${path}?api-version=2019-11-01-preview`, { body });
      expect((await arm("PUT", id, { location: "westus", sku: { name: "Standard" } })).status).toBeLessThan(
        300,
      );
      const data = (store: string, method: string, path: string, body?: object) =>
        instance().bearer(
          method,
          `/configuration/${store}${path}${path.includes("?") ? "&" : "?"}api-version=2023-11-01`,
          { body },
        );
      const store = `shop-${kind}`;
      const put = (key: string, value: string) => data(store, "PUT", `/kv/${key}`, { value });
      await eventually(async () => (await put("title", "first")).status === 200, "the store");
      await put("colour", "red");
      await data(store, "PUT", "/locks/colour");
      const arn = await eventually(async () => {
        const { body } = await instance().bearer(
          "GET",
          "/_medley/resources?type=Vendor::AppConfiguration::ConfigurationStore",
        );
        return body.resources.find(({ name }: { name: string }) => name === store)?.arn as string | undefined;
      });
      const job = await backups.backedUp(arn);
      expect([job.State, job.ResourceType]).toEqual(["COMPLETED", "ConfigurationStore"]);
      const listOf = async (name: string) =>
        (await data(name, "GET", "/kv?key=*")).body.items.map(
          ({ key, value, locked }: Record<string, unknown>) => [key, value, locked],
        );
      const before = await listOf(store);
      await put("title", "second");
      await put("size", "large");
      const { RestoreMetadata } = await backups.well(
        "GET",
        `${pointPath(job.RecoveryPointArn)}/restore-metadata`,
      );
      expect(RestoreMetadata).toEqual({ storeName: store, inPlace: "true" });
      expect((await backups.restored(job.RecoveryPointArn, RestoreMetadata)).Status).toBe("COMPLETED");
      expect(await listOf(store)).toEqual(before);
      const anew = await backups.restored(job.RecoveryPointArn, { storeName: `again-${kind}` });
      expect([anew.Status, anew.CreatedResourceArn]).toEqual([
        "COMPLETED",
        expect.stringContaining(`again-${kind}`),
      ]);
      expect(await listOf(`again-${kind}`)).toEqual(before);
      const taken = await backups.restored(job.RecoveryPointArn, { storeName: store });
      expect([taken.Status, taken.StatusMessage]).toEqual(["FAILED", expect.stringContaining("inPlace")]);
    });

    it("resource groups, detector models, alarm models and HTTP resources come back equal", async () => {
      const groups = (path: string, body: object) =>
        instance().signed("resource-groups", "POST", `/resource-groups${path}`, { body });
      const query = {
        Type: "TAG_FILTERS_1_0",
        Query: '{"ResourceTypeFilters":["Vendor::AllSupported"],"TagFilters":[{"Key":"a"}]}',
      };
      await groups("/groups", {
        Name: `team-${kind}`,
        Description: "ours",
        ResourceQuery: query,
        Tags: { a: "b" },
      });
      const groupArn = `arn:vendor:resource-groups:us-east-1:${account}:group/team-${kind}`;
      const group = await backups.backedUp(groupArn);
      expect(group.State, group.StatusMessage).toBe("COMPLETED");
      await groups("/delete-group", { Group: `team-${kind}` });
      expect(
        (await backups.restored(group.RecoveryPointArn, { groupName: `team-${kind}`, inPlace: "true" }))
          .Status,
      ).toBe("COMPLETED");
      expect((await groups("/get-group", { Group: `team-${kind}` })).body.Group.Description).toBe("ours");
      expect((await backups.restored(group.RecoveryPointArn, { groupName: `copy-${kind}` })).Status).toBe(
        "COMPLETED",
      );
      expect(
        (await groups("/get-group-query", { Group: `copy-${kind}` })).body.GroupQuery.ResourceQuery,
      ).toEqual(query);

      const events = (method: string, path: string, body?: object) =>
        instance().signed("iotevents", method, `/events${path}`, { body });
      await events("POST", "/inputs", {
        inputName: "Pressure",
        inputDefinition: { attributes: [{ jsonPath: "id" }] },
      });
      const definition = {
        initialStateName: "Normal",
        states: [
          {
            stateName: "Normal",
            onInput: { events: [{ eventName: "e", condition: "$input.Pressure.id > 1" }] },
          },
        ],
      };
      const roleArn = `arn:vendor:iam::${account}:role/events`;
      const made = await events("POST", "/detector-models", {
        detectorModelName: `m-${kind}`,
        detectorModelDefinition: definition,
        roleArn,
        key: "id",
      });
      expect(made.status, made.text).toBe(200);
      const modelArn = made.body.detectorModelConfiguration.detectorModelArn;
      const model = await backups.backedUp(modelArn);
      expect(model.State, model.StatusMessage).toBe("COMPLETED");
      expect(
        (await backups.restored(model.RecoveryPointArn, { detectorModelName: `n-${kind}` })).Status,
      ).toBe("COMPLETED");
      const read = await events("GET", `/detector-models/n-${kind}`);
      expect(read.body.detectorModel.detectorModelDefinition.initialStateName).toBe("Normal");

      const alarm = await events("POST", "/alarm-models", {
        alarmModelName: `a-${kind}`,
        alarmModelDescription: "too high",
        roleArn,
        severity: 3,
        alarmRule: {
          simpleRule: { inputProperty: "$input.Pressure.id", comparisonOperator: "GREATER", threshold: "5" },
        },
        tags: [{ key: "team", value: "pumps" }],
      });
      expect(alarm.status, alarm.text).toBe(200);
      const alarms = await backups.backedUp(alarm.body.alarmModelArn);
      expect([alarms.State, alarms.ResourceType], alarms.StatusMessage).toEqual(["COMPLETED", "AlarmModel"]);
      const again = await backups.restored(alarms.RecoveryPointArn, { alarmModelName: `b-${kind}` });
      expect(again.Status, again.StatusMessage).toBe("COMPLETED");
      const seen = async (name: string) => {
        const { body } = await events("GET", `/alarm-models/${name}`);
        const { severity, alarmModelDescription, alarmRule, roleArn: role } = body;
        return { severity, alarmModelDescription, alarmRule, role };
      };
      expect(await seen(`b-${kind}`)).toEqual(await seen(`a-${kind}`));
      const taken = await backups.restored(alarms.RecoveryPointArn, { alarmModelName: `a-${kind}` });
      expect([taken.Status, taken.StatusMessage]).toEqual([
        "FAILED",
        expect.stringContaining("an alarm model"),
      ]);

      const kept = new Map([["/file", Buffer.from("behind HTTP")]]);
      const server = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on("data", (part) => parts.push(part));
        request.on("end", () => {
          if (request.method === "PUT") kept.set(request.url ?? "", Buffer.concat(parts));
          response.end(request.method === "GET" ? kept.get(request.url ?? "") : "");
        });
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const web = await backups.backedUp(
        await backups.register(`web-${kind}`, { url: `${url}/file` }, "Vendor::Http::Resource"),
      );
      expect(web.State, web.StatusMessage).toBe("COMPLETED");
      expect((await backups.restored(web.RecoveryPointArn, { restoreUrl: `${url}/restored` })).Status).toBe(
        "COMPLETED",
      );
      expect(kept.get("/restored")?.toString()).toBe("behind HTTP");
      server.close();
      const gone = await backups.backedUp(folderArn(`web-${kind}`));
      expect([gone.State, gone.StatusMessage]).toEqual(["FAILED", expect.stringContaining(url)]);
    });

    it("person groups and face lists: persons, faces and what training made of them", async () => {
      const stage = new FaceStage(instance);
      await stage.done("PUT", "/largepersongroups/family", { body: { name: "Family", userData: "ours" } });
      const group = { kind: "largepersongroup", id: "family" } as const;
      await stage.crowd(group, 7);
      expect((await stage.train("/largepersongroups/family")).status).toBe("succeeded");
      await stage.done("PUT", "/facelists/door", { body: { name: "Door" } });
      await stage.keep({ kind: "facelist", id: "door" }, [{ person: "Ann", picture: 1 }]);
      const shown = async (id: string) => {
        const { largePersonGroupId: _id, ...head } = await stage.done("GET", `/largepersongroups/${id}`);
        const training = await stage.done("GET", `/largepersongroups/${id}/training`);
        return digestOf([
          head,
          await stage.done("GET", `/largepersongroups/${id}/persons`),
          training.status,
          await stage.nearest({ ...group, id }, "person 3", { limit: 7 }),
        ]);
      };
      const before = await shown("family");
      const arn = `arn:vendor:face::${account}:largepersongroup/family`;
      const point = await backups.pointOf(arn, "FaceCollection");
      const list = await backups.pointOf(`arn:vendor:face::${account}:facelist/door`, "FaceCollection");

      expect(await backups.restoredArn(point, { collectionId: "copy" })).toBe(arn.replace("family", "copy"));
      expect(await shown("copy")).toBe(before);
      expect(await refusal(point, { collectionId: "copy" })).toContain("already");
      expect(await refusal(point, { collectionId: "No Such Name" })).toContain("collectionId");
      await stage.crowd(group, 2);
      await stage.done("PATCH", "/largepersongroups/family", { body: { name: "Changed" } });
      expect(await shown("family")).not.toBe(before);
      expect(await backups.restoredArn(point, { collectionId: "family", inPlace: "true" })).toBe(arn);
      expect(await shown("family")).toBe(before);

      await stage.done("DELETE", "/facelists/door");
      await backups.restoredArn(list, { collectionId: "door", inPlace: "true" });
      const { persistedFaces } = await stage.done("GET", "/facelists/door");
      expect(persistedFaces).toHaveLength(1);
      expect(await stage.nearest({ kind: "facelist", id: "door" }, "Ann")).toHaveLength(1);
      expect(await listed("Vendor::Face::LargePersonGroup")).toEqual([arn.replace("family", "copy"), arn]);
    });

    it("language applications: versions, models and slots that answer as they did", async () => {
      const { ok, label, train } = authoring(instance);
      const id: string = await ok("POST", "/apps/", { name: "Desk", culture: "en-us" });
      const version = `/apps/${id}/versions/0.1`;
      for (const intent of ["Greet", "Book"]) await ok("POST", `${version}/intents`, { name: intent });
      for (const text of ["hello", "hi there", "good morning"]) await label(version, text, "Greet");
      for (const text of ["book a flight", "fly me to Rome", "a seat to Oslo"])
        await label(version, text, "Book");
      await train(version);
      await ok("POST", `/apps/${id}/publish`, { versionId: "0.1", isStaging: false });
      await ok("POST", `${version}/clone`, { version: "0.2" });
      const predict = async (of: string) => {
        const path = `/language/luis/prediction/v3.0/apps/${of}/slots/production/predict?show-all-intents=true`;
        return (await instance().apiKey("Vendor-Subscription-Key", "POST", path, { body: { query: "hi" } }))
          .body;
      };
      const shown = async (of: string) => {
        const {
          name: _name,
          id: _id,
          endpoints: _endpoints,
          endpointHitsCount: _hits,
          ...head
        } = await ok("GET", `/apps/${of}`);
        const exported = [];
        for (const name of ["0.1", "0.2"]) {
          const { name: _called, ...content } = await ok("GET", `/apps/${of}/versions/${name}/export`);
          exported.push(content);
        }
        const trained = await ok("GET", `/apps/${of}/versions/0.1/train`);
        const { query, prediction } = await predict(of);
        expect([query, prediction.topIntent]).toEqual(["hi", "Greet"]);
        return digestOf([head, exported, trained, prediction]);
      };
      const before = await shown(id);
      const arn = `arn:vendor:language::${account}:application/${id}`;
      expect(await listed("Vendor::Language::Application")).toContain(arn);
      const point = await backups.pointOf(arn, "LanguageApplication");

      const copied = await backups.restoredArn(point, { applicationName: "Second desk" });
      expect(await shown(copied.split("/")[1] as string)).toBe(before);
      expect(await refusal(point, { applicationName: "Desk" })).toContain("inPlace");
      await label(version, "see you", "Greet");
      await ok("DELETE", `/apps/${id}/versions/0.2`);
      expect(await backups.restoredArn(point, { applicationName: "Desk", inPlace: "true" })).toBe(arn);
      expect(await shown(id)).toBe(before);
      await ok("DELETE", `/apps/${id}?force=true`);
      expect(await backups.restoredArn(point, { applicationName: "Desk", inPlace: "true" })).toBe(arn);
      expect(await shown(id)).toBe(before);
    });

    describe("assignments", () => {
      let room: Newsroom;
      const ok = async (sent: ReturnType<As["send"]>) => {
        const answered = await sent;
        expect(answered.status, answered.text).toBe(200);
        return answered.body;
      };
      beforeAll(async () => {
        room = await openNewsroom(instance());
      });
      const settled = (path: string) =>
        eventually(async () => {
          const all: any[] = await ok(room.account.send("GET", path));
          return !JSON.stringify(all).includes('"state":"stored"') && all;
        }, "artifacts");
      /** Everything that the owner sees, except the ids and addresses that differ in every copy. */
      const shown = async (id: string) => {
        const sent = await settled(`/contributions?assignment=${id}`);
        const assignment = await ok(room.ann.send("GET", `/assignments/${id}`));
        const more = [];
        for (const { mediaUsages, formResponse } of sent) {
          for (const { media } of mediaUsages)
            more.push(digestOf((await room.account.send("GET", `/media/${media.id}/original`)).text));
          if (formResponse)
            more.push((await ok(room.account.send("GET", `/form-responses/${formResponse}`))).responses);
        }
        const plain = JSON.stringify([assignment, sent, more], (key, value) =>
          ["id", "url", "urlWords", "webUrl", "name", "formResponse"].includes(key) ? undefined : value,
        );
        return { all: JSON.parse(plain), ids: sent.map((one) => one.id) };
      };

      it("with forms, tags, contributions, media and opinions", async () => {
        const picture = await sharp({
          create: { width: 90, height: 60, channels: 3, background: { r: 30, g: 90, b: 160 } },
        })
          .jpeg()
          .toBuffer();
        const upload = () => ok(room.ann.send("POST", "/media", picture));
        const tag = await ok(room.ann.send("POST", "/tags", { name: "water" }));
        const form = await ok(
          room.ann.send("POST", "/forms", {
            name: "How high",
            fields: [{ name: "height", label: "Height", type: "text", required: true }],
          }),
        );
        const cover = await upload();
        const { id } = await ok(
          room.ann.send("POST", "/assignments", {
            name: "The flood",
            moderation: "after",
            tags: [{ id: tag.id }],
            form: form.id,
            cover: { media: { id: cover.id } },
          }),
        );
        const contribute = async (headline: string, media: { id: string }[]) =>
          ok(
            room.bob.send("POST", "/contributions", {
              assignment: { id },
              headline,
              tags: [{ id: tag.id }],
              mediaUsages: media.map((one) => ({ media: { id: one.id } })),
              responses: { height: "2 m" },
            }),
          );
        const first = await contribute("The bridge", []);
        await ok(
          room.ann.send("POST", "/contributions", {
            assignment: { id },
            headline: "The cover again",
            mediaUsages: [{ media: { id: cover.id } }, { media: { id: (await upload()).id } }],
          }),
        );
        await ok(room.cleo.send("POST", `/contributions/${first.id}/like`));
        const before = await shown(id);
        expect(before.ids).toHaveLength(2);
        const arn = `arn:vendor:contributions::${account}:assignment/${id}`;
        expect(await listed("Vendor::Contributions::Assignment")).toEqual([arn]);
        const point = await backups.pointOf(arn, "ContributionAssignment");

        const copy = await backups.restoredArn(point, { assignmentName: "The flood, again" });
        const copied = await shown(copy.split("/")[1] as string);
        expect(copied.all).toEqual(before.all);
        expect(copied.ids).not.toEqual(before.ids);

        await ok(room.bob.send("DELETE", `/contributions/${first.id}`));
        await ok(room.ann.send("POST", "/assignments", { id, description: "Changed." }));
        expect((await shown(id)).all).not.toEqual(before.all);
        expect(await backups.restoredArn(point, { assignmentName: "The flood", inPlace: "true" })).toBe(arn);
        expect(await shown(id)).toEqual(before);

        await ok(room.ann.send("DELETE", `/assignments/${id}`));
        expect(await listed("Vendor::Contributions::Assignment")).toEqual([copy]);
        const again = await eventually(async () => {
          const job = await backups.restored(point, { assignmentName: "The flood", inPlace: "true" });
          return job.Status === "COMPLETED" && job;
        }, "the end of the deletion");
        expect(again.CreatedResourceArn).toBe(arn);
        expect(await shown(id)).toEqual(before);
      });
    });

    it("functions: source and policy, deployed and called", async () => {
      const functions = new Functions(instance);
      const source = 'exports.hello = (request, response) => response.send("hello " + process.env.WHOM);';
      const service = { environmentVariables: { WHOM: "world" } };
      const url = await functions.running("hello", { source, service });
      expect((await functions.call(url)).text).toBe("hello world");
      // A later revision that gets no requests is not in the backup.
      const later = {
        serviceConfig: { environmentVariables: { WHOM: "nobody" }, allTrafficOnLatestRevision: false },
      };
      await functions.ended(await functions.send("PATCH", functions.nameOf("hello"), { body: later }));
      const point = await backups.pointOf(
        `arn:vendor:functions:us-central1:${account}:function/demo/hello`,
        "Function",
      );
      await functions.ended(await functions.send("DELETE", functions.nameOf("hello")));
      for (const functionId of ["hello", "again"]) {
        await backups.restoredArn(point, { functionId });
        const uri = await eventually(async () => {
          const { body } = await functions.send("GET", functions.nameOf(functionId));
          return body.state === "ACTIVE" && (body.serviceConfig.uri as string);
        }, "the deployment");
        expect((await functions.call(uri)).text).toBe("hello world");
      }
    });
  },
  { extraServices: [faceMaker] },
);
