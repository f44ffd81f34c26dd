/**
 * `medley backup verify`: checks every chunk of one vault or of all vaults, and lists the recovery points
 * with damage.
 */
import { type CommandInput, FailedError, UsageError } from "#kernel/manifest";

type Row = readonly [
  position: string,
  region: string,
  vault: string,
  chunks: number,
  damaged: string,
  points: string,
];
type Server = { readonly url: string; readonly token: string };

async function read({ url, token }: Server, query: string): Promise<readonly Row[]> {
  const answer = await fetch(`${url}/_medley/views/backup?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new FailedError(`the server answered ${answer.status}: ${await answer.text()}`);
  const { views } = (await answer.json()) as { views: readonly { rows: readonly Row[] }[] };
  return views[0]?.rows ?? [];
}

async function verify(server: Server, vault: string | undefined, account: string): Promise<number> {
  let position = "";
  let chunks = 0;
  const damaged: Row[] = [];
  for (;;) {
    const rows = await read(server, `view=Verification&after=${encodeURIComponent(position)}${account}`);
    const last = rows.at(-1);
    if (!last) break;
    [position] = last;
    for (const row of rows) {
      if (vault !== undefined && row[2] !== vault) continue;
      chunks += Number(row[3]);
      if (row[4] !== "") damaged.push(row);
    }
  }
  for (const [, region, name, , chunk, points] of damaged)
    process.stdout.write(`damaged: chunk ${chunk} of the vault ${name} in ${region}, needed by ${points}\n`);
  process.stdout.write(`${chunks} chunks looked at, ${damaged.length} damaged\n`);
  return damaged.length === 0 ? 0 : 1;
}

export function run({ words, text, withServer }: CommandInput): Promise<number> {
  const [verb, vault, ...more] = words;
  if (verb !== "verify" || more.length > 0)
    throw new UsageError("say what to do: medley backup verify [VAULT] [--account ACCOUNT]");
  const account = text("account");
  return withServer((server) =>
    verify(server, vault, account === undefined ? "" : `&account=${encodeURIComponent(account)}`),
  );
}
