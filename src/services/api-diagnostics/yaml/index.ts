/** Parses and writes YAML in worker threads, because a document within the limit may take seconds. */
import { createReader, workerFile } from "#kernel/workers";
import { DocumentError } from "../domain/index.ts";
import type { YamlText, YamlWork } from "./tasks.ts";

const convert = createReader<YamlWork, YamlText>({
  file: workerFile(import.meta.url, "services/api-diagnostics/yaml/worker.js"),
  // The worst document takes a sixth of it.
  processorMsMax: 20_000,
  documents: "documents",
  tooMuch: "The document takes too much time or memory. Send it as JSON.",
  problemOf: (message) => new DocumentError(message),
});

/** Converts YAML to JSON. Throws a DocumentError with the line. */
export const jsonOfYaml = async (account: string, text: string): Promise<string> =>
  (await convert(account, { kind: "read", text })).text;
export const yamlOf = async (account: string, value: unknown): Promise<string> =>
  (await convert(account, { kind: "write", value })).text;
