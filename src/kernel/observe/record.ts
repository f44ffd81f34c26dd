/** Records which operation answered which status and error, so that a test run can be compared with the contract. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

export type Recorder = {
  note(operation: string, status: number): void;
  /** An error of the service, by its name. */
  noteError(operation: string, code: string, status: number): void;
  violation(operation: string, text: string): void;
};

export function createRecorder(folder: string | undefined): Recorder | undefined {
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  const seen = new Set<string>();
  const append = (record: object) => appendFileSync(file, `${JSON.stringify(record)}\n`);
  const once = (key: string, record: object) => {
    if (seen.has(key)) return;
    seen.add(key);
    append(record);
  };
  return {
    note: (operation, status) => once(`${operation} ${status}`, { operation, status }),
    noteError: (operation, code, status) =>
      once(`${operation} ${status} ${code}`, { operation, status, error: code }),
    violation: (operation, text) => append({ operation, violation: text }),
  };
}
