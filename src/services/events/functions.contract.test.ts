/** Functions of another service in the same process are called by actions. */
import { expect, it } from "vitest";
import { account, Events, motorModel } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { defineService, provide } from "../../kernel/operation/index.ts";
import { apiKeyIn, plain } from "../../kernel/protocols/index.ts";
import { functionInvocations, type Invocation } from "../../ports/function-invocations.ts";

const OWN = `arn:vendor:lambda:us-east-1:${account}:function:own`;
const called: Invocation[] = [];
const functions = defineService({
  name: "some-functions",
  title: "Some functions",
  summary: "Notes what it is called with.",
  mount: "/some-functions",
  protocol: plain({ scheme: apiKeyIn("X-Key") }),
  operations: [],
  provides: [
    provide(functionInvocations, () => ({
      async invoke(context, invocation) {
        if (invocation.functionArn !== OWN) return false;
        context.afterCommit(() => called.push(invocation));
        return true;
      },
    })),
  ],
});

onBothDatabases(
  "actions to functions",
  (instance) => {
    it("calls those that are there, and records the others all the same", async () => {
      called.length = 0;
      const events = new Events(instance);
      await events.createInput();
      const model = structuredClone(motorModel);
      const payload = { contentExpression: "'danger'", type: "STRING" };
      model.states[1]!.onEnter!.events = [
        {
          eventName: "call",
          condition: "true",
          actions: [
            { lambda: { functionArn: OWN, payload } },
            { lambda: { functionArn: OWN.replace("own", "nobody"), payload } },
          ] as never,
        },
      ];
      await events.createModel("calling", model);
      await events.pressure("a", 80);
      await eventually(() => called.length > 0, "the function was called");
      expect(called).toMatchObject([{ functionArn: OWN, payload: "danger" }]);
      const sent = await events.outbox("function");
      expect(sent.map(({ target }: { target: string }) => target).sort()).toEqual([
        OWN.replace("own", "nobody"),
        OWN,
      ]);
    });
  },
  { services: ["events"], extraServices: [functions] },
);
