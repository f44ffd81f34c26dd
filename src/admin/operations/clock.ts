/** Time travel. */
import { Type } from "@sinclair/typebox";
import { isoOf, parseDurationMs } from "#kernel/clock";
import { kernelErrors, operationsFor } from "#kernel/operation";
import type { Kernel, TimeTravel } from "#kernel/runtime";
import { adminPermission } from "../protocol.ts";

const ClockView = Type.Object({ now: Type.String(), frozen: Type.Boolean(), offsetMs: Type.Integer() });
const Ran = Type.Object({ id: Type.String(), job: Type.String(), at: Type.String(), outcome: Type.String() });
const operation = operationsFor<unknown>();
const ADVANCE_TIMEOUT_SECONDS = 600;

export function clockOperations(kernel: Kernel, travel: TimeTravel) {
  const view = () => ({
    now: kernel.clock.nowIso(),
    frozen: kernel.clock.state.frozenAtMs !== undefined,
    offsetMs: Math.round(kernel.clock.nowMs() - kernel.clock.machineNowMs()),
  });
  const change = (verb: "freeze" | "resume", summary: string) =>
    operation({
      id: `medley.clock.${verb}`,
      summary,
      method: "POST",
      path: `/clock/${verb}`,
      permission: adminPermission,
      transaction: "manual",
      answers: { 200: ClockView },
      async handle() {
        await travel[verb]();
        return view();
      },
    });
  return [
    operation({
      id: "medley.clock.show",
      summary: "What time is it here?",
      method: "GET",
      path: "/clock",
      permission: adminPermission,
      answers: { 200: ClockView },
      handle: view,
    }),
    change("freeze", "Time stands still"),
    change("resume", "Time runs on from where it is"),
    operation({
      id: "medley.clock.advance",
      summary: "Moves time forward and runs all work that falls due on the way, in order",
      method: "POST",
      path: "/clock/advance",
      permission: adminPermission,
      transaction: "manual",
      timeoutSeconds: ADVANCE_TIMEOUT_SECONDS,
      body: Type.Object({ by: Type.String({ description: "36h, 90s, 1d12h or PT36H", maxLength: 64 }) }),
      answers: { 200: Type.Intersect([ClockView, Type.Object({ ran: Type.Array(Ran) })]) },
      examples: { body: { by: "36h" } },
      async handle({ body }) {
        const byMs = parseDurationMs(body.by);
        if (byMs === undefined)
          throw kernelErrors.invalidInput(`"${body.by}" is not a duration such as 36h, 90s or PT36H.`);
        const { ran } = await travel.advance(byMs);
        return {
          ...view(),
          ran: ran.map(({ id, name, runAtMs, outcome }) => ({ id, job: name, at: isoOf(runAtMs), outcome })),
        };
      },
    }),
  ];
}
