/** `medley <service> …`: what a service adds to the command line. */
import type { ServiceEntry } from "#app";
import { connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

/** None, or the one that is called like the service. */
export function commandsOf({ name, manifest }: ServiceEntry): Command[] {
  const command = manifest?.command;
  if (!command) return [];
  return [
    {
      name,
      usage: command.usage,
      summary: command.summary,
      run(words) {
        const parsed = parseFlags(words, command.usage, { ...connectionFlags, ...command.flags });
        return command.run({ ...parsed, withServer: (work, options) => withAdmin(parsed, work, options) });
      },
    },
  ];
}
