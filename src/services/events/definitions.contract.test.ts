/** The definition side over HTTP, on both databases: inputs, models and their versions. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import * as support from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const modelOf = (input: string) =>
  JSON.parse(JSON.stringify(support.motorModel).replaceAll("PressureInput", input));
const arn = (resource: string) => `arn:vendor:iotevents:us-east-1:${support.account}:${resource}`;

onBothDatabases(
  "definitions",
  (instance) => {
    const events = new support.Events(instance);
    const refused = async (method: string, path: string, body?: unknown) => {
      const answer = await events.send(method, path, body);
      return [answer.status, answer.headers.get("x-amzn-errortype")];
    };
    const inputStatus = async (name: string) =>
      (await events.send("GET", `/inputs/${name}`)).body.input?.inputConfiguration.status;

    it("makes, reads, changes, lists and deletes inputs", async () => {
      const made = await events.send("POST", "/inputs", {
        inputName: "First",
        inputDescription: "the first",
        inputDefinition: support.pressureAttributes,
        tags: [{ key: "plant", value: "north" }],
      });
      expect([made.status, made.body.inputConfiguration]).toEqual([
        201,
        {
          inputName: "First",
          inputDescription: "the first",
          inputArn: arn("input/First"),
          creationTime: expect.any(Number),
          lastUpdateTime: expect.any(Number),
          status: "CREATING",
        },
      ]);
      await eventually(async () => (await inputStatus("First")) === "ACTIVE", "the input is active");
      const again = await events.send("POST", "/inputs", {
        inputName: "First",
        inputDefinition: support.pressureAttributes,
      });
      expect([again.status, again.body.resourceArn]).toEqual([409, arn("input/First")]);
      await events.createInput("Second");
      const changed = await events.well("PUT", "/inputs/First", {
        inputDefinition: { attributes: [{ jsonPath: "a.b" }, { jsonPath: "`odd name`.c" }] },
      });
      expect(changed.inputConfiguration).toMatchObject({ status: "UPDATING" });
      expect(changed.inputConfiguration.inputDescription).toBeUndefined();
      await eventually(async () => (await inputStatus("First")) === "ACTIVE", "the input is active");
      const { input } = await events.well("GET", "/inputs/First");
      expect(input.inputDefinition.attributes).toEqual([{ jsonPath: "a.b" }, { jsonPath: "`odd name`.c" }]);
      const page = await events.well("GET", "/inputs?maxResults=1");
      expect(page.inputSummaries.map((one: { inputName: string }) => one.inputName)).toEqual(["First"]);
      const rest = await events.well("GET", `/inputs?nextToken=${encodeURIComponent(page.nextToken)}`);
      expect(rest.inputSummaries).toHaveLength(1);
      expect(await refused("GET", "/inputs?nextToken=made-up")).toEqual([400, "InvalidRequestException"]);
      await events.well("DELETE", "/inputs/First");
      expect(await refused("PUT", "/inputs/First", { inputDefinition: support.pressureAttributes })).toEqual(
        expect.toSatisfy(([status]: [number]) => status === 409 || status === 404),
      );
      await eventually(async () => (await inputStatus("First")) === undefined, "the input is gone");
      for (const method of ["GET", "DELETE"])
        expect(await refused(method, "/inputs/First")).toEqual([404, "ResourceNotFoundException"]);
      expect(await refused("PUT", "/inputs/First", { inputDefinition: support.pressureAttributes })).toEqual([
        404,
        "ResourceNotFoundException",
      ]);
    });

    it.each([
      ["a name", { inputName: "1st", inputDefinition: support.pressureAttributes }],
      ["no attributes", { inputName: "Empty", inputDefinition: { attributes: [] } }],
      ["a path", { inputName: "Path", inputDefinition: { attributes: [{ jsonPath: "a..b" }] } }],
      [
        "a reserved tag",
        {
          inputName: "Tag",
          inputDefinition: support.pressureAttributes,
          tags: [{ key: "aws:x", value: "" }],
        },
      ],
    ])("refuses an input: %s", async (_what, body) => {
      expect(await refused("POST", "/inputs", body)).toEqual([400, "InvalidRequestException"]);
    });

    it("answers a model as it was written, by version, and refuses to delete what is used", async () => {
      await events.createInput("Model");
      const definition = modelOf("Model");
      const made = await events.well("POST", "/detector-models", {
        detectorModelName: "answered",
        detectorModelDescription: "what it is for",
        detectorModelDefinition: definition,
        roleArn: support.role,
        key: "motorid",
      });
      expect(made.detectorModelConfiguration).toEqual({
        detectorModelName: "answered",
        detectorModelVersion: "1",
        detectorModelDescription: "what it is for",
        detectorModelArn: arn("detectorModel/answered"),
        roleArn: support.role,
        creationTime: expect.any(Number),
        lastUpdateTime: expect.any(Number),
        status: "ACTIVATING",
        key: "motorid",
        evaluationMethod: "BATCH",
      });
      const again = await events.send("POST", "/detector-models", {
        detectorModelName: "answered",
        detectorModelDefinition: definition,
        roleArn: support.role,
      });
      expect([again.status, again.body.resourceId]).toEqual([409, "answered"]);
      await events.isActive("/detector-models/answered");
      const { detectorModel } = await events.well("GET", "/detector-models/answered?version=1");
      expect(detectorModel.detectorModelDefinition).toEqual(definition);
      const list = await events.well("GET", "/detector-models?maxResults=1");
      expect(list.detectorModelSummaries).toEqual([
        {
          detectorModelName: "answered",
          detectorModelDescription: "what it is for",
          creationTime: expect.any(Number),
        },
      ]);
      for (const path of [
        "/detector-models/answered?version=9",
        "/detector-models/answered?version=x",
        "/detector-models/none",
        "/detector-models/none/versions",
      ])
        expect([path, ...(await refused("GET", path))]).toEqual([path, 404, "ResourceNotFoundException"]);
      expect(await refused("GET", "/detector-models?nextToken=x")).toEqual([400, "InvalidRequestException"]);
      expect(await refused("GET", "/detector-models/answered/versions?nextToken=x")).toEqual([
        400,
        "InvalidRequestException",
      ]);
      expect(await refused("DELETE", "/inputs/Model")).toEqual([409, "ResourceInUseException"]);
      expect((await events.send("DELETE", "/detector-models/answered")).status).toBe(204);
      expect(await refused("DELETE", "/detector-models/answered")).toEqual([
        404,
        "ResourceNotFoundException",
      ]);
      expect(
        await refused("POST", "/detector-models/answered", {
          detectorModelDefinition: definition,
          roleArn: support.role,
        }),
      ).toEqual([404, "ResourceNotFoundException"]);
      await events.well("DELETE", "/inputs/Model");
    });

    it("says where a model does not compile, and which limit it passes", async () => {
      await events.createInput("Compile");
      const definition = modelOf("Compile");
      const attempt = async (change: (definition: any) => void, more: object = {}) => {
        const changed = structuredClone(definition);
        change(changed);
        const answer = await events.send("POST", "/detector-models", {
          detectorModelName: "refused",
          detectorModelDefinition: changed,
          roleArn: support.role,
          key: "motorid",
          ...more,
        });
        return [answer.status, answer.headers.get("x-amzn-errortype"), answer.body.message];
      };
      const transition = (model: any) => model.states[0].onInput.transitionEvents[0];
      const invalid = (text: string) => [400, "InvalidRequestException", expect.stringContaining(text)];
      expect(await attempt((m) => (transition(m).condition = "$input.Compile.pressure >"))).toEqual(
        invalid("states[0].onInput.transitionEvents[0].condition"),
      );
      expect(await attempt((m) => (transition(m).condition = "$input.Nobody.pressure > 1"))).toEqual(
        invalid("Nobody"),
      );
      expect(await attempt((m) => (transition(m).condition = "$input.Compile.volume > 1"))).toEqual(
        invalid("volume"),
      );
      expect(await attempt((m) => (transition(m).nextState = "Nowhere"))).toEqual(invalid("Nowhere"));
      expect(await attempt((m) => (m.initialStateName = "Nowhere"))).toEqual(invalid("initialStateName"));
      expect(await attempt(() => {}, { roleArn: "arn:vendor:iam::222222222222:role/x" })).toEqual(
        invalid("roleArn"),
      );
      expect(await attempt(() => {}, { roleArn: "me" })).toEqual(invalid("roleArn"));
      expect(await attempt((m) => (m.states = []))).toEqual(invalid("states"));
      const limit = [410, "LimitExceededException", expect.any(String)];
      expect(
        await attempt((m) => {
          for (let i = 0; i < 20; i += 1) m.states.push({ stateName: `s${i}` });
        }),
      ).toEqual(limit);
      expect(
        await attempt((m) => {
          transition(m).actions = Array.from({ length: 11 }, () => transition(m).actions[0]);
        }),
      ).toEqual(limit);
      const updated = await events.send("POST", "/detector-models/refused", {
        detectorModelDefinition: definition,
        roleArn: support.role,
      });
      expect(updated.status).toBe(404);
    });

    it("pauses a model whose input no longer serves it", async () => {
      await instance().clock.freeze();
      await events.createInput("Status");
      await events.createModel("statuses", modelOf("Status"));
      const body = { detectorModelDefinition: modelOf("Status"), roleArn: support.role };
      const statuses = async () =>
        (await events.well("GET", "/detector-models/statuses/versions")).detectorModelVersionSummaries.map(
          ({ status }: { status: string }) => status,
        );
      for (let i = 0; i < 2; i += 1) await events.well("POST", "/detector-models/statuses", body);
      await eventually(
        async () => JSON.stringify(await statuses()) === '["ACTIVE","DEPRECATED","DEPRECATED"]',
        "one version is active and the others are past",
      );
      // An input that no longer has what the model reads holds it up.
      await events.well("PUT", "/inputs/Status", {
        inputDefinition: { attributes: [{ jsonPath: "motorid" }] },
      });
      await eventually(async () => (await statuses())[0] === "PAUSED", "the model is paused");
      const put = () =>
        events.data("POST", "/inputs/messages", {
          messages: [
            {
              messageId: randomUUID(),
              inputName: "Status",
              payload: support.base64({ motorid: "p", pressure: 80 }),
            },
          ],
        });
      expect((await put()).body).toEqual({ BatchPutMessageErrorEntries: [] });
      await events.well("PUT", "/inputs/Status", { inputDefinition: support.pressureAttributes });
      await eventually(async () => (await statuses())[0] === "ACTIVE", "the model is active again");
      expect(await events.detector("statuses", "p")).toBeUndefined();
      await put();
      await events.isIn("statuses", "p", "Dangerous");
      await instance().clock.resume();
    });
  },
  { services: ["events"] },
);

onBothDatabases(
  "activation that takes a minute",
  (instance) => {
    const events = new support.Events(instance);
    it("moves versions through their statuses, and fails those that no longer fit", async () => {
      await instance().clock.freeze();
      await events.createInput("Slow");
      const body = { detectorModelDefinition: modelOf("Slow"), roleArn: support.role };
      await events.well("POST", "/detector-models", { ...body, detectorModelName: "slow" });
      const statuses = async () =>
        (await events.well("GET", "/detector-models/slow/versions")).detectorModelVersionSummaries
          .map(({ status }: { status: string }) => status)
          .reverse();
      await events.well("POST", "/detector-models/slow", body);
      expect(await statuses()).toEqual(["ACTIVATING", "DRAFT"]);
      const busy = await events.send("DELETE", "/detector-models/slow");
      expect([busy.status, busy.body.__type]).toEqual([409, "ResourceInUseException"]);
      await instance().clock.advance("60s");
      expect(await statuses()).toEqual(["ACTIVE", "ACTIVATING"]);
      await instance().clock.advance("60s");
      expect(await statuses()).toEqual(["DEPRECATED", "ACTIVE"]);
      await events.well("POST", "/detector-models/slow", body);
      await events.well("PUT", "/inputs/Slow", { inputDefinition: { attributes: [{ jsonPath: "other" }] } });
      await instance().clock.advance("60s");
      expect(await statuses()).toEqual(["DEPRECATED", "PAUSED", "FAILED"]);
    });
  },
  { services: ["events"], provisioningSeconds: 60 },
);
