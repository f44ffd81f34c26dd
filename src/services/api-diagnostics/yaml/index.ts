/** Parses and writes YAML in worker threads, because a document within the limit may take seconds. */
import { kernelErrors } from "#kernel/operation";
import { createWorkerPool, meteredMs, newThreadMeter, WorkerError, workerFile } from "#kernel/workers";
import { DocumentError } from "../domain/index.ts";
import type { YamlResult, YamlTask, YamlWork } from "./tasks.ts";

/** Limit of processor time. The worst document takes a sixth of it. */
const PROCESSOR_MS_MAX = 20_000;

const workers = createWorkerPool<YamlTask, YamlResult>({
  file: workerFile(import.meta.url, "services/api-diagnostics/yaml/worker.js"),
  name: "run",
  timeoutMs: PROCESSOR_MS_MAX,
  spentMs: ({ meter }, elapsedMs) => meteredMs(meter, elapsedMs),
});
async function run(work: YamlWork): Promise<string> {
  const result = await workers.run({ ...work, meter: newThreadMeter() }).catch((error: unknown) => {
    if (!(error instanceof WorkerError) || error.reason === "closed") throw error;
    if (error.reason === "busy")
      throw kernelErrors.unavailable("Too many documents wait.", { headers: { "retry-after": "2" } });
    throw new DocumentError("The document takes too much time or memory. Send it as JSON.");
  });
  if ("text" in result) return result.text;
  throw new DocumentError(result.problem);
}

/** Converts YAML to JSON. Throws a DocumentError with the line. */
export const jsonOfYaml = (text: string): Promise<string> => run({ kind: "read", text });
export const yamlOf = (value: unknown): Promise<string> => run({ kind: "write", value });
