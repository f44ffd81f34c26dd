/** Worker entry: converts YAML to JSON text, or a value to YAML. */
import { startThreadMeter } from "#kernel/workers";
import { DocumentError } from "../domain/index.ts";
import type { YamlResult, YamlTask } from "./tasks.ts";
import { parseYaml, writeYaml } from "./yaml.ts";

export function run(task: YamlTask): YamlResult {
  startThreadMeter(task.meter);
  if (task.kind === "write") return { text: writeYaml(task.value) };
  try {
    return { text: JSON.stringify(parseYaml(task.text)) };
  } catch (error) {
    if (error instanceof DocumentError) return { problem: error.message };
    throw error;
  }
}
