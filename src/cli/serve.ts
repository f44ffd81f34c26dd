/** `medley serve`. */
import { startApp } from "#app";
import { readConfig } from "#kernel/config";
import { parseFlags } from "./flags.ts";

export async function serve(words: readonly string[]): Promise<number> {
  const app = await startApp(readConfig(parseFlags(words)));
  console.log(`Medley serves ${app.kernel.services.length} services on ${app.url}`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await app.stop();
  return 0;
}
