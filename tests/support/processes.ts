/** Nodes as processes of their own, which can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { StartOptions } from "../../src/app/start.ts";

export type NodeProcess = {
  readonly url: string;
  readonly process: ChildProcess;
  kill(signal: NodeJS.Signals): Promise<number | null>;
};

function started(child: ChildProcess, url: RegExp): Promise<NodeProcess> {
  return new Promise((resolve, reject) => {
    let output = "";
    const note = (chunk: Buffer) => {
      output += chunk.toString();
      const found = url.exec(output);
      if (found) {
        resolve({
          url: found[0],
          process: child,
          kill: (signal) =>
            new Promise((ended) => {
              if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode);
              child.once("exit", (code) => ended(code));
              child.kill(signal);
            }),
        });
      }
    };
    child.stdout?.on("data", note);
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}: ${output}`)));
  });
}

/** A node with the sample service. */
export const startSampleNode = (options: StartOptions): Promise<NodeProcess> =>
  started(
    spawn(process.execPath, [join(import.meta.dirname, "sample-node.mjs"), JSON.stringify(options)]),
    /http:\/\/\S+/,
  );

/** The product itself, as its command line starts it. */
export const startServe = (...words: string[]): Promise<NodeProcess> =>
  started(
    spawn(process.execPath, [
      join(import.meta.dirname, "../../dist/main.js"),
      "serve",
      "--port",
      "0",
      ...words,
    ]),
    /http:\/\/[\d.]+:\d+/,
  );
