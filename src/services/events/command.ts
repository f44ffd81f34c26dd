/** `medley events tail`: follows the log of detectors and alarms. */
import { setTimeout } from "node:timers/promises";
import { type CommandInput, FailedError, UsageError } from "#kernel/manifest";

const ROWS_AT_ONCE = 500;
const PAUSE_MS = 300;
export type LogRow = readonly [
  id: string,
  time: string,
  model: string,
  key: string,
  what: string,
  from: string,
  to: string,
  text: string,
];
type Server = { readonly url: string; readonly token: string };

async function read({ url, token }: Server, query: string): Promise<readonly LogRow[]> {
  const answer = await fetch(`${url}/_medley/views/events?view=Log&${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new FailedError(`the server answered ${answer.status}: ${await answer.text()}`);
  const { views } = (await answer.json()) as { views: readonly { rows: readonly LogRow[] }[] };
  return views[0]?.rows ?? [];
}
const lineOf = ([, time, model, key, what, from, to, text]: LogRow): string => {
  const who = key === "" ? model : `${model} ${key}`;
  return what === "transition" ? `${time} ${who} ${from} → ${to}\n` : `${time} ${who} ${what}: ${text}\n`;
};

async function tail(server: Server, model: string, key: string | undefined): Promise<never> {
  let last = (await read(server, "limit=1"))[0]?.[0] ?? "";
  process.stderr.write(`Following ${model}${key === undefined ? "" : ` ${key}`}; Ctrl-C ends it.\n`);
  for (;;) {
    const rows = await read(server, `limit=${ROWS_AT_ONCE}&after=${encodeURIComponent(last)}`);
    for (const row of rows)
      if (row[2] === model && (key === undefined || row[3] === key)) process.stdout.write(lineOf(row));
    last = rows.at(-1)?.[0] ?? last;
    if (rows.length < ROWS_AT_ONCE) await setTimeout(PAUSE_MS);
  }
}

export function run({ words, text, withServer }: CommandInput): Promise<number> {
  const [verb, model, ...more] = words;
  if (verb !== "tail" || model === undefined || more.length > 0)
    throw new UsageError("say which model to follow: medley events tail MODEL [--key KEY]");
  return withServer((server) => tail(server, model, text("key")));
}
