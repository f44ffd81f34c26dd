/** `medley <service> …`: commands of services. */
import type { ServiceEntry } from "#app";
import { connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

/** The command of a service, if it has one. It has the service's name. */
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
