/** `medley services`: lists services and their addresses. */
import { loadServices } from "#app";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

export const services: Command = {
  name: "services",
  usage: ["services [--json]"],
  summary: "list services with mounts and operation counts",
  async run(words) {
    const parsed = parseFlags(words, services.usage, { json: "switch" });
    const rows = (await loadServices(parsed.config.services)).map(({ name, title, mount, operations }) => ({
      name,
      title,
      mount,
      operations: operations.length,
    }));
    if (parsed.has("json")) console.log(JSON.stringify(rows, null, 2));
    else
      for (const row of rows)
        console.log(
          `${row.name.padEnd(28)} ${row.mount.padEnd(40)} ${String(row.operations).padStart(4)} operations  ${row.title}`,
        );
    return 0;
  },
};
