/** Actions to functions reach those of the functions service, when it is there; without it nothing breaks. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import { account, Events, motorModel } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const functionArn = (name: string) => `arn:vendor:lambda:us-east-1:${account}:function:${name}`;
const CALL_JSON = {
  lambda: {
    functionArn: functionArn("notify"),
    payload: { type: "JSON", contentExpression: '\'{"motor": "${$input.PressureInput.motorid}"}\'' },
  },
};
const CALL_TEXT = {
  lambda: {
    functionArn: functionArn("notify"),
    payload: { type: "STRING", contentExpression: "'pressure of ' + $input.PressureInput.motorid" },
  },
};
const CALL_NOBODY = { lambda: { functionArn: functionArn("nobody") } };

/** The motors' model, whose danger calls functions. */
const calling = {
  ...motorModel,
  states: motorModel.states.map((state) =>
    state.stateName === "Dangerous"
      ? {
          ...state,
          onEnter: { events: [{ eventName: "call", actions: [CALL_NOBODY, CALL_JSON, CALL_TEXT] }] },
        }
      : state,
  ),
};

onBothDatabases(
  "actions to functions",
  (instance) => {
    const events = new Events(instance);
    it("call the function of that name with what they send", async () => {
      const functions = new Functions(instance);
      await functions.running("notify", {
        source:
          "exports.notify = (request, response) => { console.log('got', JSON.stringify(request.body)); response.send(); };",
      });
      await events.createInput();
      await events.createModel("motors", calling);
      await events.pressure("m7", 80);
      const got = await eventually(async () => {
        const told = (await functions.lines("notify"))
          .map(({ text }) => text)
          .filter((text) => text.startsWith("got "));
        return told.length >= 2 && told.sort();
      }, "both calls");
      expect(got).toEqual(['got "pressure of m7"', 'got {"motor":"m7"}']);
      const sent = await events.outbox("function");
      expect(sent.map(({ target }: { target: string }) => target).sort()).toEqual(
        [functionArn("nobody"), functionArn("notify"), functionArn("notify")].sort(),
      );
    });
  },
  { services: ["events", "functions"] },
);

describe("without a functions service", () => {
  onBothDatabases(
    "actions to functions",
    (instance) => {
      it("are in the outbox, and the detector goes on", async () => {
        const events = new Events(instance);
        await events.createInput();
        await events.createModel("motors", calling);
        await events.pressure("m7", 80, 60, 60, 60);
        await events.isIn("motors", "m7", "Normal");
        expect(await events.outbox("function")).toHaveLength(3);
      });
    },
    { services: ["events"] },
  );
});
