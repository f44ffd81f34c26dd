/** Time travel. */
import { Type } from "@sinclair/typebox";
import { isoOf, parseDurationMs } from "#kernel/clock";
import { kernelErrors, operationsFor } from "#kernel/operation";
import type { Journey, JourneyProgress, Kernel, TimeTravel } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";
import { Caused } from "../wire.ts";

const ClockView = Type.Object({
  now: Type.String(),
  frozen: Type.Boolean({ description: "Also while it is being moved" }),
  offsetMs: Type.Integer(),
  journey: Type.Optional(
    Type.Object(
      {
        from: Type.String(),
        to: Type.String(),
        runs: Type.Integer({ description: "How many there were so far" }),
        percent: Type.Integer({
          description: "Of the way from `from` to `to`",
          minimum: 0,
          maximum: 100,
          examples: [40],
        }),
        remainingSeconds: Type.Optional(
          Type.Integer({
            description: "If the rest goes as fast as what lies behind; absent at the beginning",
            minimum: 0,
            examples: [12],
          }),
        ),
      },
      { description: "While time is being moved on this node" },
    ),
  ),
});
const Ran = Type.Object({
  id: Type.String(),
  job: Type.String(),
  service: Type.String(),
  account: Type.String({
    description: "Whose work it was; nobody's where it is the process's own.",
    examples: ["123456789012"],
  }),
  at: Type.String(),
  outcome: Type.String(),
  caused: Type.Array(Caused, { description: "The work, messages and resources it caused itself." }),
});
const JobRuns = Type.Object({
  job: Type.String(),
  housekeeping: Type.Boolean(),
  done: Type.Integer(),
  retried: Type.Integer(),
  failed: Type.Integer(),
});
const Advanced = Type.Intersect([
  ClockView,
  Type.Object({
    arrived: Type.Boolean({ description: "False when the journey was stopped on its way" }),
    runs: Type.Integer(),
    summary: Type.Array(JobRuns, { description: "What ran how often; what failed comes first" }),
    ran: Type.Array(Ran, { description: "The first thousand runs in order" }),
  }),
]);
const operation = operationsFor<unknown>();
const ADVANCE_TIMEOUT_SECONDS = 600;

/** Limit of runs whose effects are reported. */
const EFFECTS_TOLD_RUNS_MAX = 200;
const viewOf = ({ effects }: Kernel, { arrived, log }: Journey) => ({
  arrived,
  runs: log.count,
  summary: log.summary().map(({ name, ...counts }) => ({ job: name, ...counts })),
  ran: log.ran.map(({ id, name, service, account, runAtMs, outcome }, index) => ({
    id,
    job: name,
    service,
    account,
    at: isoOf(runAtMs),
    outcome,
    caused: index < EFFECTS_TOLD_RUNS_MAX ? effects.ofOne(id) : [],
  })),
});
const progressOf = ({ fromMs, toMs, runs, share, remainingMs }: JourneyProgress) => ({
  from: isoOf(fromMs),
  to: isoOf(toMs),
  runs,
  percent: Math.floor(share * 100),
  ...(remainingMs !== undefined && { remainingSeconds: Math.ceil(remainingMs / 1000) }),
});

export function clockOperations(kernel: Kernel, travel: TimeTravel) {
  const view = () => {
    const progress = travel.findProgress();
    return {
      now: kernel.clock.nowIso(),
      frozen: kernel.clock.state.frozenAtMs !== undefined,
      offsetMs: Math.round(kernel.clock.nowMs() - kernel.clock.machineNowMs()),
      ...(progress && { journey: progressOf(progress) }),
    };
  };
  const change = (verb: "freeze" | "resume" | "cancel", summary: string, description: string) =>
    operation({
      id: `medley.clock.${verb}`,
      summary,
      description,
      method: "POST",
      path: `/clock/${verb}`,
      permission: ADMIN_PERMISSION,
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
      summary: "Returns the time of the kernel clock",
      description:
        "Includes the progress of an advance on this node. Leases and signatures use the machine's clock instead.",
      method: "GET",
      path: "/clock",
      permission: ADMIN_PERMISSION,
      answers: { 200: ClockView },
      handle: view,
    }),
    change(
      "freeze",
      "Stops the clock",
      "Jobs that are due later do not run until the clock is resumed or advanced. Applies to all nodes.",
    ),
    change(
      "resume",
      "Lets the clock run on",
      "Time continues from where it is, so an offset from the machine's clock stays. Applies to all nodes.",
    ),
    change(
      "cancel",
      "Cancels an advance on this node",
      "Time stays where it is, and the work that ran is not undone. Without an advance nothing happens.",
    ),
    operation({
      id: "medley.clock.advance",
      summary: "Moves the clock forward and runs the work that becomes due",
      description:
        "Jobs run in order at their time; housekeeping runs once, at the end. All nodes move together. The response has the first 1000 runs. Long advances can be stopped with `medley.clock.cancel`. Time cannot move back.",
      method: "POST",
      path: "/clock/advance",
      permission: ADMIN_PERMISSION,
      transaction: "manual",
      timeoutSeconds: ADVANCE_TIMEOUT_SECONDS,
      body: Type.Object({ by: Type.String({ description: "36h, 90s, 1d12h or PT36H", maxLength: 64 }) }),
      answers: { 200: Advanced },
      examples: { body: { by: "36h" } },
      async handle({ body }) {
        const byMs = parseDurationMs(body.by);
        if (byMs === undefined)
          throw kernelErrors.invalidInput(`"${body.by}" is not a duration such as 36h, 90s or PT36H.`);
        const journey = await travel.advance(byMs);
        return { ...view(), ...viewOf(kernel, journey) };
      },
    }),
  ];
}
