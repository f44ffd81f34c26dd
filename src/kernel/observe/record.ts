/** Notes which operation answered which status, so that a test run can be held against the promised interface. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

export type Recorder = {
  note(operation: string, status: number): void;
  violation(operation: string, text: string): void;
};

export function createRecorder(folder: string | undefined): Recorder | undefined {
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  const seen = new Set<string>();
  return {
    note(operation, status) {
      const key = `${operation} ${status}`;
      if (seen.has(key)) return;
      seen.add(key);
      appendFileSync(file, `${JSON.stringify({ operation, status })}\n`);
    },
    violation(operation, text) {
      appendFileSync(file, `${JSON.stringify({ operation, violation: text })}\n`);
    },
  };
}
