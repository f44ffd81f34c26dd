/** `medley objects`: maintains the object store. */

import { UsageError } from "#kernel/manifest";
import type { Verified } from "#kernel/objects";
import { type AdminClient, connectionFlags, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";

const VERBS = ["verify", "sweep", "move"];
const MEGABYTE = 1e6;
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

async function verify(admin: AdminClient): Promise<number> {
  const found = await admin.json<Verified>("GET", "/objects");
  console.log(`${found.objects} objects (${megabytes(found.bytes)}) in the store`);
  console.log(`${found.unnamed} of them named by nothing: removed after the grace time`);
  console.log(`${found.inDatabase} large rows still in the database: medley objects move --to s3`);
  if (found.missing === 0) return 0;
  console.log(`${found.missing} names without objects; their bytes are lost:`);
  for (const name of found.missingNames) console.log(`  ${name}`);
  return 1;
}
async function sweep(admin: AdminClient): Promise<number> {
  const { removed, waiting } = await admin.json<{ removed: number; waiting: number }>(
    "POST",
    "/objects/sweep",
  );
  console.log(`${removed} objects removed, ${waiting} wait for the end of their grace time`);
  return 0;
}
type Moved = {
  readonly moved: number;
  readonly bytes: number;
  readonly missing: number;
  readonly next?: string;
};
async function move(admin: AdminClient, to: string): Promise<number> {
  const sum = { moved: 0, bytes: 0, missing: 0 };
  for (let next: string | undefined, isEnd = false; !isEnd; ) {
    const moved: Moved = await admin.json("POST", "/objects/move", {
      to,
      ...(next !== undefined && { next }),
    });
    for (const name of ["moved", "bytes", "missing"] as const) sum[name] += moved[name];
    next = moved.next;
    isEnd = next === undefined;
    if (!isEnd) console.error(`… ${sum.moved} moved (${megabytes(sum.bytes)})`);
  }
  console.log(`${sum.moved} moved to ${to} (${megabytes(sum.bytes)})`);
  if (sum.missing > 0) console.log(`${sum.missing} not in the store: medley objects verify`);
  return sum.missing > 0 ? 1 : 0;
}

export const objects: Command = {
  name: "objects",
  usage: ["objects verify", "objects sweep", "objects move --to s3|database"],
  summary: "look after large objects outside the database",
  details: () =>
    [
      "The server needs --objects. `verify` finds names without objects and objects that nothing names. `sweep` removes",
      "the latter after --objects-grace-seconds; the server does so every day. `move` can be stopped at any time: the next",
      "one continues. Before you take --objects away, move everything to the database.",
    ].join("\n"),
  async run(words) {
    const parsed = parseFlags(words, objects.usage, { ...connectionFlags, to: "text" });
    const [verb = ""] = parsed.words;
    if (!VERBS.includes(verb)) throw new UsageError("say verify, sweep or move");
    const to = parsed.text("to");
    if (verb === "move" && to !== "s3" && to !== "database")
      throw new UsageError("say --to s3 or --to database");
    return withAdmin(parsed, (admin) =>
      verb === "verify" ? verify(admin) : verb === "sweep" ? sweep(admin) : move(admin, to ?? ""),
    );
  },
};
