/**
 * Turns of this process's main thread, in milliseconds. Where the system tells how long the thread waited for a processor that
 * others had, that is left out.
 */
import { existsSync, readFileSync } from "node:fs";

const SAMPLE_MS = 2;
const SCHEDULED = `/proc/self/task/${process.pid}/schedstat`;
const tellsWaiting = existsSync(SCHEDULED);

function clocks() {
  const [running, waiting] = tellsWaiting
    ? readFileSync(SCHEDULED, "utf8").split(" ").map(Number)
    : [process.cpuUsage().user * 1e3, 0];
  return { runningMs: running / 1e6, waitingMs: waiting / 1e6, nowMs: performance.now() };
}

/**
 * `take`: the longest turn since it was called last, the most work in one (the rest was waiting, as for the disk), and how long
 * the thread has been at work. Watching takes processor time, so it begins with the first `take`.
 */
export function watchTurns() {
  let last;
  let longestTurnMs = 0;
  let mostWorkMs = 0;
  let timer;
  const look = () => {
    const now = clocks();
    const turnMs = now.nowMs - last.nowMs - SAMPLE_MS - (now.waitingMs - last.waitingMs);
    longestTurnMs = Math.max(longestTurnMs, turnMs);
    mostWorkMs = Math.max(mostWorkMs, now.runningMs - last.runningMs);
    last = now;
  };
  return {
    take() {
      if (!timer) {
        last = clocks();
        timer = setInterval(look, SAMPLE_MS).unref();
      }
      const taken = { longestTurnMs, mostWorkMs, ...clocks() };
      longestTurnMs = 0;
      mostWorkMs = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
