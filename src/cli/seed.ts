/** `medley seed`: a small, good-looking demo data set. */
import type { Config } from "#kernel/config";
import { type AdminClient, connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

type Seeded = {
  readonly account: string;
  readonly made: readonly { readonly service: string; readonly rows: number; readonly url: string }[];
};

const serveOn = ({ databaseUrl, dataFolder }: Config): string =>
  `medley serve ${databaseUrl === undefined ? `--data ${dataFolder}` : "with the same --database"}`;

function linesOf({ account, made }: Seeded, { url, isLasting }: AdminClient, config: Config): string[] {
  if (made.length === 0) return ["none of these services has demo data"];
  const rows = made.map(({ service, rows, url: at }) => {
    const what = rows === 0 ? "nothing new: it was there already" : `${rows} rows`;
    return `  ${service.padEnd(28)} ${what}${isLasting ? `, at ${at}` : ""}`;
  });
  const look = isLasting ? `look at it in the console: ${url}/console` : `to look at it: ${serveOn(config)}`;
  return [`demo data in account ${account}:`, ...rows, look];
}

export const seed: Command = {
  name: "seed",
  usage: ["seed [service…] [--account A]"],
  summary: "load a small, good-looking demo data set",
  async run(words) {
    const parsed = parseFlags(words, seed.usage, { ...connectionFlags, account: "text" });
    const account = parsed.text("account");
    const wanted = {
      ...(parsed.words.length > 0 && { services: parsed.words }),
      ...(account && { account }),
    };
    const lines = await withAdmin(
      parsed,
      async (admin) => linesOf(await admin.json<Seeded>("POST", "/seed", wanted), admin, parsed.config),
      { begins: true },
    );
    console.log(lines.join("\n"));
    return 0;
  },
};
