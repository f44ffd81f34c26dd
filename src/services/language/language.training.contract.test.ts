/** Training over HTTP, on both databases: its status, the merging of requests, and the effect of settings. */
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { authoring, DONE } from "../../../tests/support/language.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "language training",
  (instance) => {
    const { send, ok, refused, newApp, label, train } = authoring(instance);
    const endedTrainings = async (): Promise<number> => {
      const { text } = await instance().send("GET", "/_medley/metrics");
      const ended = text.matchAll(/^medley_jobs_total\{job="language.train".*\} (\d+)$/gm);
      return [...ended].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const teachGreetings = async (v: string) => {
      for (const name of ["Greet", "Leave"]) await ok("POST", `${v}/intents`, { name });
      for (const text of ["hello there", "good morning", "hi"]) await label(v, text, "Greet");
      for (const text of ["good bye", "see you later", "farewell"]) await label(v, text, "Leave");
    };

    it("runs the test set of an application with every training, and shows it over time", async () => {
      const { app, v } = await newApp();
      await teachGreetings(v);
      expect(await refused("GET", `${app}/testset`)).toContain("no test set");
      const set = {
        LabeledTestSetUtterances: [
          { text: "hello there", intent: "Greet", entities: [] },
          { text: "see you later", intent: "Leave", entities: [{ entity: "Time", startPos: 8, endPos: 12 }] },
          { text: "good bye", intent: "Greet", entities: [] },
        ],
      };
      expect(await ok("PUT", `${app}/testset`, set)).toEqual({ utterances: 3 });
      expect(await ok("GET", `${app}/testset`)).toEqual(set);
      const runs = (count: number) =>
        eventually(async () => {
          const all = await ok("GET", `${app}/testset/runs`);
          return all.length === count && all.every(({ status }: any) => status === "succeeded") && all;
        }, `${count} runs`);
      await train(v);
      const [first] = await runs(1);
      expect(first).toMatchObject({
        versionId: "0.1",
        utterances: 3,
        entityFScore: 0,
        confusions: [{ labelled: "Greet", predicted: "Leave", utterances: ["good bye"] }],
      });
      expect(first.intentAccuracy).toBeCloseTo(2 / 3);
      await label(v, "hey you", "Greet");
      await train(v);
      expect((await runs(2))[1]).toEqual(first);
      await ok("DELETE", `${app}/testset`);
      await label(v, "hey all", "Greet");
      await train(v);
      expect(await ok("GET", `${app}/testset/runs`)).toHaveLength(2);
      for (const wrong of [
        { LabeledTestSetUtterances: [] },
        { LabeledTestSetUtterances: Array.from({ length: 1001 }, () => set.LabeledTestSetUtterances[0]) },
        {
          LabeledTestSetUtterances: [
            { text: "a", intent: "Greet", entities: [{ entity: "T", startPos: 0, endPos: 4 }] },
          ],
        },
      ])
        await refused("PUT", `${app}/testset`, wrong);
    });

    it("trains, tells what changed since, and publishes what is trained", async () => {
      const { app, v } = await newApp();
      expect(await ok("GET", `${v}/train`)).toEqual([]);
      const greet = await ok("POST", `${v}/intents`, { name: "Greet" });
      const leave = await ok("POST", `${v}/intents`, { name: "Leave" });
      const empty = await ok("POST", `${v}/intents`, { name: "Empty" });
      for (const text of ["hello there", "good morning", "hi"]) await label(v, text, "Greet");
      for (const text of ["good bye", "see you later", "farewell"]) await label(v, text, "Leave");
      expect(await refused("POST", `${app}/publish`, { versionId: "0.1" })).toContain("never trained");
      await refused("GET", `/package${app.slice(5)}/versions/0.1/gzip`);
      const asked = await send("POST", `${v}/train`);
      expect([asked.status, asked.body]).toEqual([202, { statusId: 9, status: "Queued" }]);
      const first = await train(v);
      const details = (models: { modelId: string; details: object }[], id: string) =>
        models.find(({ modelId }) => modelId === id)?.details;
      expect(details(first, greet)).toEqual({
        statusId: 0,
        status: "Success",
        exampleCount: 3,
        trainingDateTime: expect.any(String),
      });
      expect(details(first, empty)).toMatchObject({
        statusId: 1,
        status: "Fail",
        failureReason: "FewLabels",
      });
      expect(await ok("POST", `${v}/train`)).toEqual({ statusId: 2, status: "UpToDate" });
      expect((await ok("GET", `${v}/`)).trainingStatus).toBe("Trained");
      await ok("DELETE", `${v}/intents/${empty}`);
      await label(v, "hey you", "Greet");
      expect((await ok("GET", `${v}/`)).trainingStatus).toBe("NeedsTraining");
      expect(await refused("POST", `${app}/publish`, { versionId: "0.1" })).toContain("changed since");
      const second = await train(v);
      expect(details(second, greet)).toMatchObject({ status: "Success", exampleCount: 4 });
      expect(details(second, leave)).toMatchObject({ status: "UpToDate", exampleCount: 3 });
      const published = await send("POST", `${app}/publish`, { body: { versionId: "0.1", isStaging: true } });
      expect([published.status, published.body.isStaging, published.body.versionId]).toEqual([
        201,
        true,
        "0.1",
      ]);
      await ok("POST", `${app}/publish`, {});
      expect(Object.keys((await ok("GET", app)).endpoints).sort()).toEqual(["PRODUCTION", "STAGING"]);
      const [review] = await ok("GET", `${v}/examples`);
      expect(review.intentPredictions[0].name).toBe("Greet");
      const gzip = await send("GET", `/package${app.slice(5)}/versions/0.1/gzip`);
      expect([gzip.status, gzip.bytes[0], gzip.bytes[1]]).toEqual([200, 0x1f, 0x8b]);
      // A package holds the trained content, whatever was changed since.
      await label(v, "a good day to you", "Greet");
      for (const place of ["versions/0.1", "slot/PRODUCTION"]) {
        const { bytes } = await send("GET", `/package${app.slice(5)}/${place}/gzip`);
        const { application } = JSON.parse(gunzipSync(bytes).toString());
        const texts = application.utterances.map(({ text }: { text: string }) => text);
        expect([texts.includes("hey you"), texts.includes("a good day to you")]).toEqual([true, false]);
      }
      await refused("GET", `/package${app.slice(5)}/slot/elsewhere/gzip`);
      await ok("POST", `${v}/clone`, { version: "0.2" });
      await train(`${app}/versions/0.2`);
      const production = (await ok("GET", app)).endpoints.PRODUCTION;
      await ok("POST", `${app}/publish`, { versionId: "0.2", directVersionPublish: true });
      expect((await ok("GET", app)).endpoints.PRODUCTION).toEqual(production);
      expect(await refused("DELETE", `${v}/`)).toContain("published");
      const log = await send("GET", `${app}/querylogs`);
      expect([log.status, log.text]).toEqual([200, '"Query","UTC DateTime","Response"\r\n']);
      expect(await ok("DELETE", app)).toEqual(DONE);
    });

    it("makes one training of two that are asked for at once, and follows up what was said meanwhile", async () => {
      const { v } = await newApp();
      await teachGreetings(v);
      const before = await endedTrainings();
      const asked = await Promise.all(Array.from({ length: 5 }, () => send("POST", `${v}/train`)));
      expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
      await eventually(async () => (await ok("GET", `${v}/`)).trainingStatus === "Trained", "the training");
      expect((await endedTrainings()) - before).toBe(1);
      await label(v, "hey you", "Greet");
      await ok("POST", `${v}/train`);
      await label(v, "hey there", "Greet");
      const last: { details: { exampleCount: number } }[] = await train(v);
      expect(last.map(({ details }) => details.exampleCount)).toContain(5);
      expect((await ok("GET", `${v}/`)).trainingStatus).toBe("Trained");
    });

    it("keeps the models that a version or a slot answers with, and no other", async () => {
      const models = async (): Promise<number> => {
        const { text } = await instance().bearer("GET", "/_medley/state?service=language");
        return text.split('"table":"medley_blob"').length - 1;
      };
      const { app, v } = await newApp();
      await teachGreetings(v);
      const before = await models();
      const kept = async () => (await models()) - before;
      const answers = async () => {
        const path = `/language/luis/prediction/v3.0${app}/slots/production/predict`;
        const body = { query: "good morning" };
        return (await instance().apiKey("Vendor-Subscription-Key", "POST", path, { body })).body.prediction
          .topIntent;
      };
      await train(v);
      expect(await kept()).toBe(1);
      await label(v, "hey you", "Greet");
      await train(v);
      expect(await kept()).toBe(1);
      await ok("POST", `${app}/publish`, { versionId: "0.1" });
      expect(await kept()).toBe(1);
      await label(v, "hey there", "Greet");
      await train(v);
      expect([await kept(), await answers()]).toEqual([2, "Greet"]);
      await ok("POST", `${app}/publish`, { versionId: "0.1" });
      expect([await kept(), await answers()]).toEqual([1, "Greet"]);
      await ok("DELETE", app);
      await eventually(async () => (await kept()) === 0, "the removal of the model");
    });

    it("learns everything anew when a setting changes, and answers by it", async () => {
      const { app, v } = await newApp();
      await teachGreetings(v);
      await train(v);
      const scoreOf = async (query: string) => {
        await ok("POST", `${app}/publish`, { versionId: "0.1" });
        const path = `/language/luis/prediction/v3.0${app}/slots/production/predict?show-all-intents=true`;
        const { body } = await instance().apiKey("Vendor-Subscription-Key", "POST", path, {
          body: { query },
        });
        return body.prediction.intents.Greet.score;
      };
      expect(await scoreOf("good mornings")).not.toBe(await scoreOf("good morning"));
      await ok("PUT", `${v}/settings`, [{ name: "NormalizeWordForm", value: "true" }]);
      expect((await ok("GET", `${v}/`)).trainingStatus).toBe("NeedsTraining");
      const told: { details: { status: string } }[] = await train(v);
      expect(new Set(told.map(({ details }) => details.status))).toEqual(new Set(["Success"]));
      expect(await scoreOf("good mornings")).toBe(await scoreOf("good morning"));
    });
  },
  { services: ["language", "language-predictions"] },
);
