/** `medley openapi`: writes the OpenAPI document to standard output. */
import { loadServices } from "#app";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

export const openapi: Command = {
  name: "openapi",
  usage: ["openapi [service…]"],
  summary: "print OpenAPI 3.1",
  async run(words) {
    const { openApiOf } = await import("#kernel/openapi");
    const { config, words: names } = parseFlags(words, openapi.usage);
    const wanted = await loadServices(names.length > 0 ? names : config.services);
    console.log(JSON.stringify(openApiOf(wanted, `http://${config.host}:${config.port}`), null, 2));
    return 0;
  },
};
