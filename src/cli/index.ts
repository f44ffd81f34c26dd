/** `medley <command>`: finds the command and runs it. */
import { serve } from "./serve.ts";

export async function run(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === "serve") return serve(rest);
  return 2;
}
