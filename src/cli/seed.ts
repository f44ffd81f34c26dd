/** `medley seed`: loads the demo data. */
import type { Config } from "#kernel/config";
import { UsageError } from "#kernel/manifest";
import { type AdminClient, connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

type Mounted = { readonly name: string; readonly hasDemoData: boolean };
type Seeded = {
  readonly account: string;
  readonly made: readonly { readonly service: string; readonly rows: number; readonly url: string }[];
};

const serveOn = ({ databaseUrl, dataFolder }: Config): string =>
  `medley serve ${databaseUrl === undefined ? `--data ${dataFolder}` : "with the same --database"}`;

const lineOf = ({ service, rows, url }: Seeded["made"][number], isLasting: boolean): string => {
  const what = rows === 0 ? "nothing new: it was there already" : `${rows} ${rows === 1 ? "row" : "rows"}`;
  return `  ${service.padEnd(28)} ${what}${isLasting ? `, at ${url}` : ""}`;
};

/** Seeds one service at a time and reports each, because all together may take a while. */
async function seedAll(
  admin: AdminClient,
  config: Config,
  names: readonly string[],
  account: string | undefined,
): Promise<void> {
  const { services } = await admin.json<{ services: readonly Mounted[] }>("GET", "/services");
  const unknown = names.find((name) => !services.some((service) => service.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no service named ${unknown}.`);
  const all = services.filter(({ hasDemoData }) => hasDemoData).map(({ name }) => name);
  let count = 0;
  for (const name of names.length > 0 ? names : all) {
    const seeded = await admin.json<Seeded>("POST", "/seed", {
      services: [name],
      ...(account && { account }),
      // A temporary server has another address than the later one, so the address is passed explicitly.
      ...(!admin.isLasting && { origin: `http://127.0.0.1:${config.port}` }),
    });
    for (const made of seeded.made) {
      if (count === 0) console.log(`demo data in account ${seeded.account}:`);
      console.log(lineOf(made, admin.isLasting));
      count += 1;
    }
  }
  if (count === 0) console.log("none of these services has demo data");
  else if (admin.isLasting) console.log(`look at it in the console: ${admin.url}/console`);
  else console.log(`to look at it: ${serveOn(config)}`);
}

export const seed: Command = {
  name: "seed",
  usage: ["seed [service…] [--account A]"],
  summary: "load a small, good-looking demo data set",
  async run(words) {
    const parsed = parseFlags(words, seed.usage, { ...connectionFlags, account: "text" });
    const seeding = (admin: AdminClient) =>
      seedAll(admin, parsed.config, parsed.words, parsed.text("account"));
    await withAdmin(parsed, seeding, { begins: true });
    return 0;
  },
};
