/** `medley clock`: time travel. */
import { UsageError } from "#kernel/manifest";
import { type AdminClient, connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

type JobRuns = { job: string; housekeeping: boolean; done: number; retried: number; failed: number };
type Underway = { to: string; runs: number; percent: number; remainingSeconds?: number };
type ClockView = { now: string; frozen: boolean; journey?: Underway };
type Advanced = ClockView & { arrived: boolean; runs: number; summary: JobRuns[] };

const PROGRESS_MS = 1000;
const VERBS = ["show", "freeze", "advance", "resume", "cancel"];

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
const lineOf = ({ job, done, retried, failed }: JobRuns): string =>
  [
    `${job}: ${count(done + retried + failed, "run")}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(retried > 0 ? [`${retried} to be tried again`] : []),
  ].join(", ");

function printAdvanced({ arrived, summary }: Advanced, isAll: boolean): void {
  const shown = summary.filter(
    ({ housekeeping, failed, retried }) => isAll || !housekeeping || failed + retried > 0,
  );
  for (const runs of shown) console.log(lineOf(runs));
  const left = summary.length - shown.length;
  if (left > 0) console.log(`${count(left, "chore")} of housekeeping besides (--all shows them)`);
  if (!arrived) console.log("stopped on the way: what fell due until then has run, the rest waits");
}
const printClock = ({ now, frozen, journey }: ClockView): void =>
  console.log(journey ? progressLine(now, journey) : `${now}${frozen ? " (frozen)" : ""}`);

const progressLine = (now: string, { to, runs, percent, remainingSeconds }: Underway): string => {
  const rest = remainingSeconds === undefined ? "" : `, about ${remainingSeconds} s left`;
  return `… ${percent} % of the way: ${now} of ${to}, ${count(runs, "run")}${rest}`;
};

/** Shows the progress, and stops the advance on Ctrl-C. */
async function advance(admin: AdminClient, by: string): Promise<Advanced> {
  const progress = setInterval(() => {
    admin
      .json<ClockView>("GET", "/clock")
      .then(({ now, journey }) => journey && console.error(progressLine(now, journey)))
      // The response to the advance itself reports the error.
      .catch(() => {});
  }, PROGRESS_MS);
  const cancel = () => {
    console.error("stopping where time has come to …");
    admin.json("POST", "/clock/cancel", {}).catch(() => {});
  };
  process.once("SIGINT", cancel);
  try {
    return await admin.json<Advanced>("POST", "/clock/advance", { by });
  } finally {
    clearInterval(progress);
    process.off("SIGINT", cancel);
  }
}

/** A duration that starts with a minus, which looks like a flag. */
const BACKWARD = /^-(\d|P)/;

export const clock: Command = {
  name: "clock",
  usage: ["clock show", "clock freeze", "clock advance 36h [--all]", "clock cancel", "clock resume"],
  summary: "time travel: advancing runs all work that falls due, in order",
  details: () =>
    [
      "`advance` says how often each job ran, failures first; --all shows housekeeping as well. Ctrl-C, or `clock cancel`",
      "elsewhere, stops it after the run it is at; a second Ctrl-C leaves it to the server.",
      "After `resume` time runs on from where it is: it stays ahead of the machine's.",
    ].join("\n"),
  async run(words) {
    const back = words.find((word) => BACKWARD.test(word));
    if (back !== undefined)
      throw new UsageError(`"${back}" lies behind: time only moves forward, such as: clock advance 36h`);
    const parsed = parseFlags(words, clock.usage, { ...connectionFlags, all: "switch" });
    const [verb = "show", by] = parsed.words;
    if (!VERBS.includes(verb)) throw new UsageError("say show, freeze, advance, cancel or resume");
    if (verb === "advance") {
      if (by === undefined) throw new UsageError("say by how much, such as: clock advance 36h");
      const advanced = await withAdmin(parsed, (admin) => advance(admin, by));
      printAdvanced(advanced, parsed.has("all"));
      printClock(advanced);
      return advanced.arrived ? 0 : 1;
    }
    printClock(
      await withAdmin(parsed, (admin) =>
        verb === "show" ? admin.json("GET", "/clock") : admin.json("POST", `/clock/${verb}`, {}),
      ),
    );
    return 0;
  },
};
