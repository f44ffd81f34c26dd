/** `medley state`: export, import and reset. */
import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FailedError, UsageError } from "#kernel/manifest";
import { type AdminClient, connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { type Parsed, parseFlags } from "./flags.ts";

const PROGRESS_MS = 1000;

const filterOf = (parsed: Parsed): Record<string, string> =>
  Object.fromEntries(
    ["service", "account"].flatMap((name) => (parsed.text(name) ? [[name, parsed.text(name) ?? ""]] : [])),
  );

/** Reports the progress from time to time. */
async function* counted(source: AsyncIterable<Uint8Array>, verb: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let told = performance.now();
  for await (const piece of source) {
    bytes += piece.length;
    yield piece;
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    console.error(`… ${Math.round(bytes / 1e6)} MB ${verb}`);
  }
}

async function exportTo(admin: AdminClient, parsed: Parsed, file: string | undefined): Promise<void> {
  const response = await admin.send("GET", `/state?${new URLSearchParams(filterOf(parsed))}`);
  if (!response.body) throw new FailedError("the server answered nothing");
  const source = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  if (file === undefined || file === "-") await pipeline(source, process.stdout, { end: false });
  else {
    await pipeline(counted(source, "saved"), createWriteStream(file, { mode: 0o600 }));
    const { size } = await stat(file);
    console.log(
      `exported ${await rowsIn(file)} rows (${size} bytes) to ${file}; to load them: medley state import ${file}`,
    );
  }
}
/** The number of rows in the first line of the file. */
async function rowsIn(file: string): Promise<number> {
  for await (const line of createInterface({ input: createReadStream(file) }))
    return (JSON.parse(line) as { check: { rows: number } }).check.rows;
  return 0;
}
async function importFrom(admin: AdminClient, parsed: Parsed, file: string | undefined): Promise<void> {
  const content = file === undefined || file === "-" ? process.stdin : (await open(file)).createReadStream();
  const { rows, credentialsLeftOut } = await admin.json<{ rows: number; credentialsLeftOut: number }>(
    "PUT",
    `/state?${new URLSearchParams(filterOf(parsed))}`,
    Readable.from(counted(content, "sent"), { objectMode: false }),
  );
  console.log(`imported ${rows} rows`);
  if (credentialsLeftOut > 0)
    console.log(
      `${credentialsLeftOut} of its credentials left out: your account, which stays, has others of the same name`,
    );
}
async function reset(admin: AdminClient, parsed: Parsed): Promise<void> {
  await admin.json("POST", "/state/reset", filterOf(parsed));
  console.log("state cleared; accounts and credentials stay");
}

export const state: Command = {
  name: "state",
  usage: [
    "state export [FILE] [--service S] [--account A]",
    "state import [FILE] [--service S] [--account A]",
    "state reset [--service S] [--account A]",
  ],
  summary: "save, load, clear state",
  async run(words) {
    const parsed = parseFlags(words, state.usage, { ...connectionFlags, service: "text", account: "text" });
    const [verb, file] = parsed.words;
    if (!["export", "import", "reset"].includes(verb ?? ""))
      throw new UsageError("say export, import or reset");
    await withAdmin(
      parsed,
      async (admin) => {
        if (verb === "export") await exportTo(admin, parsed, file);
        else if (verb === "import") await importFrom(admin, parsed, file);
        else await reset(admin, parsed);
      },
      { begins: verb === "import" },
    );
    return 0;
  },
};
