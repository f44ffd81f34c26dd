/** The built product's command line, run to its end. */
import { execFile } from "node:child_process";
import { join } from "node:path";

/** The README says it in words: twenty services. */
export const SERVICES_TOLD = 20;
export const main = join(import.meta.dirname, "../../dist/main.js");

export type Ended = { code: number; output: string; errors: string };
export function medleyIn(environment: Record<string, string>, ...words: string[]): Promise<Ended> {
  const options = { maxBuffer: 1 << 26, env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], options, (error, output, errors) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors }),
    );
  });
}
export const medley = (...words: string[]): Promise<Ended> => medleyIn({}, ...words);
