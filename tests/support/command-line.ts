/** The built product's command line, run to its end. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The README says it in words: twenty services. */
export const SERVICES_TOLD = 20;
export const main = join(import.meta.dirname, "../../dist/main.js");

export type Ended = { code: number; output: string; errors: string };
/** In a process of its own. */
function inOwnProcess(environment: Record<string, string>, words: readonly string[]): Promise<Ended> {
  const options = { maxBuffer: 1 << 26, env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], options, (error, output, errors) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors }),
    );
  });
}

let runner: ChildProcess | undefined;
let previous: Promise<unknown> = Promise.resolve();
/** In the process of `command-runner.mjs`, one command after another. */
function inRunner(environment: Record<string, string>, words: readonly string[]): Promise<Ended> {
  const ended = previous.then(async () => {
    if (!runner?.connected) {
      runner = fork(join(import.meta.dirname, "command-runner.mjs"));
      runner.unref();
      runner.channel?.unref();
    }
    runner.channel?.ref();
    const heard = new AbortController();
    const { signal } = heard;
    runner.send({ words, changes: environment });
    const [answer] = await Promise.race([
      once(runner, "message", { signal }),
      once(runner, "exit", { signal }).then(([code]) => [
        { code, output: "", errors: "the command ended its process" },
      ]),
    ]);
    heard.abort();
    runner.channel?.unref();
    return answer as Ended;
  });
  previous = ended.catch(() => {});
  return ended;
}

/** A server decides about its whole process: it handles signals and errors that nobody caught. */
export const medleyIn = (environment: Record<string, string>, ...words: string[]): Promise<Ended> =>
  (words[0] === "serve" ? inOwnProcess : inRunner)(environment, words);
export const medley = (...words: string[]): Promise<Ended> => medleyIn({}, ...words);
