/** The nodes of the soak as processes of their own, which can be killed and come back at the same address. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { StartOptions } from "../../src/app/start.ts";

export type Report = {
  readonly longestTurnMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
};

export class SoakNode {
  readonly #options: object;
  #process: ChildProcess | undefined;
  readonly url: string;
  /** Its first turns compile and load; they are not counted. */
  #isWarm = false;

  constructor(options: StartOptions & { readonly port: number }) {
    this.#options = options;
    this.url = `http://127.0.0.1:${options.port}`;
  }
  async start(): Promise<void> {
    this.#isWarm = false;
    const words = ["--expose-gc", join(import.meta.dirname, "node.mjs"), JSON.stringify(this.#options)];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process = child;
    await this.#hear<{ url: string }>(child);
  }
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    this.#process = undefined;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }
  /** Since the last report. The first after a start tells no turn. */
  async report(): Promise<Report> {
    const child = this.#process;
    if (!child) throw new Error("the node does not run");
    const heard = this.#hear<Report>(child);
    child.send("report");
    const report = await heard;
    const wasWarm = this.#isWarm;
    this.#isWarm = true;
    return wasWarm ? report : { ...report, longestTurnMs: 0 };
  }
  #hear<T>(child: ChildProcess): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`a node ended by itself with ${code}`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message as T);
      });
    });
  }
}
