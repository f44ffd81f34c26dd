/** `medley clock`: time travel. */
import { UsageError } from "#kernel/operation";
import { connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

type ClockView = { now: string; frozen: boolean; ran?: { job: string; at: string; outcome: string }[] };

function print({ now, frozen, ran = [] }: ClockView): void {
  for (const { at, job, outcome } of ran) console.log(`${at}  ${job}  ${outcome}`);
  console.log(`${now}${frozen ? " (frozen)" : ""}`);
}

/** Where a flag might stand: a duration that begins with a minus. */
const BACKWARD = /^-(\d|P)/;

export const clock: Command = {
  name: "clock",
  usage: ["clock show", "clock freeze", "clock advance 36h", "clock resume"],
  summary: "time travel: advancing runs all work that falls due, in order",
  async run(words) {
    const back = words.find((word) => BACKWARD.test(word));
    if (back !== undefined)
      throw new UsageError(`"${back}" lies behind: time only moves forward, such as: clock advance 36h`);
    const parsed = parseFlags(words, connectionFlags);
    const [verb = "show", by] = parsed.words;
    if (!["show", "freeze", "advance", "resume"].includes(verb))
      throw new UsageError("say show, freeze, advance or resume");
    if (verb === "advance" && by === undefined)
      throw new UsageError("say by how much, such as: clock advance 36h");
    const view = await withAdmin(parsed, (admin) =>
      verb === "show"
        ? admin.json<ClockView>("GET", "/clock")
        : admin.json<ClockView>("POST", `/clock/${verb}`, verb === "advance" ? { by } : {}),
    );
    print(view);
    return 0;
  },
};
