/** `medley <command>`: finds the command, runs it, and turns what people got wrong into one clear line. */

import { FolderInUseError, UnknownServiceError } from "#app";
import { CredentialsFileError } from "#kernel/auth";
import { ConfigError } from "#kernel/config";
import { clock } from "./clock.ts";
import { type Command, UsageError } from "./command.ts";
import { credentials } from "./credentials.ts";
import { doctor } from "./doctor.ts";
import { openapi } from "./openapi.ts";
import { seed } from "./seed.ts";
import { serve } from "./serve.ts";
import { services } from "./services.ts";
import { state } from "./state.ts";

const commands: readonly Command[] = [serve, credentials, services, openapi, seed, state, clock, doctor];

function help(): string {
  const lines = commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return `medley: one process that really does what twenty HTTP services promise\n\n${lines.join("\n")}\n\nEvery flag of serve also has a MEDLEY_* variable. Commands find a running server through the data folder (--data),\nor take --url and --token (MEDLEY_URL, MEDLEY_TOKEN).`;
}

const isPeoplesMistake = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof FolderInUseError ||
  error instanceof UnknownServiceError ||
  error instanceof CredentialsFileError ||
  [
    "ERR_PARSE_ARGS_UNKNOWN_OPTION",
    "ERR_PARSE_ARGS_INVALID_OPTION_VALUE",
    "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
    "EADDRINUSE",
    "ENOENT",
    "EACCES",
  ].includes((error as NodeJS.ErrnoException).code ?? "");

/** Answers the exit code: 0 done, 1 failed, 2 misunderstood. */
export async function run(words: readonly string[]): Promise<number> {
  const [name = "help", ...rest] = words;
  if (["help", "--help", "-h"].includes(name)) {
    console.log(help());
    return 0;
  }
  const command = commands.find((one) => one.name === name);
  if (!command) {
    console.error(`medley: there is no command "${name}"\n\n${help()}`);
    return 2;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    if (!isPeoplesMistake(error)) throw error;
    console.error(`medley ${name}: ${error.message}`);
    return error instanceof UsageError ? 2 : 1;
  }
}
