/** `medley seed`: a small, good-looking demo data set. */
import { connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

export const seed: Command = {
  name: "seed",
  usage: ["seed [service…] [--account A]"],
  summary: "load a small, good-looking demo data set",
  async run(words) {
    const parsed = parseFlags(words, { ...connectionFlags, account: "text" });
    const account = parsed.text("account");
    const wanted = {
      ...(parsed.words.length > 0 && { services: parsed.words }),
      ...(account && { account }),
    };
    const { seeded } = await withAdmin(
      parsed,
      (admin) => admin.json<{ seeded: string[] }>("POST", "/seed", wanted),
      { begins: true },
    );
    console.log(
      seeded.length > 0 ? `demo data for ${seeded.join(", ")}` : "none of these services has demo data",
    );
    return 0;
  },
};
