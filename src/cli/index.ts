/** `medley <command>`: finds and runs the command, and converts user errors to one clear line. */

import { type ServiceEntry, serviceTable } from "#app";
import { packageVersion } from "#kernel/manifest";
import { codeOf, isFailed, isMisunderstood, lineOf } from "./clear-line.ts";
import { clock } from "./clock.ts";
import type { Command } from "./command.ts";
import { completionOf } from "./completion.ts";
import { credentials } from "./credentials.ts";
import { didYouMean } from "./did-you-mean.ts";
import { doctor } from "./doctor.ts";
import { helpOf, helpOfOne } from "./help.ts";
import { objects } from "./objects.ts";
import { openapi } from "./openapi.ts";
import { seed } from "./seed.ts";
import { serve } from "./serve.ts";
import { commandsOf } from "./service-command.ts";
import { services } from "./services.ts";
import { state } from "./state.ts";

const ownCommands: readonly Command[] = [
  serve,
  credentials,
  services,
  openapi,
  seed,
  state,
  objects,
  clock,
  doctor,
];

/** Returns the exit code: 0 success, 1 failure, 2 usage error. */
export async function run(
  words: readonly string[],
  services: readonly ServiceEntry[] = serviceTable,
): Promise<number> {
  const others = [...ownCommands, ...services.flatMap(commandsOf)];
  const commands = [
    ...others,
    completionOf(
      () => others,
      services.map(({ name }) => name),
    ),
  ];
  // The reader of the output may close it early, like `head`.
  process.stdout.on("error", (error) => process.exit(codeOf(error) === "EPIPE" ? 0 : 1));
  const [name = "help", ...rest] = words;
  if (["--version", "-v", "version"].includes(name)) {
    console.log(packageVersion());
    return 0;
  }
  const isHelp = ["help", "--help", "-h"].includes(name);
  const wanted = isHelp ? rest[0] : name;
  const command = commands.find((one) => one.name === wanted);
  if (wanted !== undefined && !command) {
    const hint = didYouMean(
      wanted,
      commands.map(({ name }) => name),
    );
    console.error(`medley: there is no command "${wanted}"${hint}\n\n${helpOf(commands)}`);
    return 2;
  }
  if (!command || isHelp || rest.includes("--help") || rest.includes("-h")) {
    console.log(command ? helpOfOne(command) : helpOf(commands));
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    if (!isMisunderstood(error) && !isFailed(error)) throw error;
    console.error(`medley ${name}: ${lineOf(error)}`);
    return isMisunderstood(error) ? 2 : 1;
  }
}
