/** Finds the machine's Python, if there is one. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export type Python = { readonly program: string; readonly prefix: string; readonly version: string };

const ask = promisify(execFile);
const QUESTION =
  "import os,sys; print(os.path.realpath(sys.executable)); print(sys.base_prefix); print(sys.version.split()[0])";
const PROGRAMS = ["/usr/bin/python3", "python3"];
const PATIENCE_MS = 5000;

export async function findPython(): Promise<Python | undefined> {
  for (const candidate of PROGRAMS) {
    const answer = await ask(candidate, ["-c", QUESTION], { timeout: PATIENCE_MS }).catch(() => undefined);
    const [program, prefix, version] = answer?.stdout.split("\n") ?? [];
    if (program && prefix && version) return { program, prefix, version };
  }
  return undefined;
}
