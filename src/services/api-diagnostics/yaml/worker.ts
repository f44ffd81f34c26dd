/** Worker entry: converts YAML to JSON text, or a value to YAML. */
import { type Metered, type Read, startThreadMeter } from "#kernel/workers";
import { DocumentError } from "../domain/index.ts";
import type { YamlText, YamlWork } from "./tasks.ts";
import { parseYaml, writeYaml } from "./yaml.ts";

export function run(task: Metered<YamlWork>): Read<YamlText> {
  startThreadMeter(task.meter);
  if (task.kind === "write") return { text: writeYaml(task.value) };
  try {
    return { text: JSON.stringify(parseYaml(task.text)) };
  } catch (error) {
    if (error instanceof DocumentError) return { problem: error.message };
    throw error;
  }
}
