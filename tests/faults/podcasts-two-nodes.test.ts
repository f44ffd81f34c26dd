/** Two nodes on one database: of each feed there is one refresh at a time, and one look at the feed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/medley.ts";
import { FeedServer, feedOf, items } from "../support/podcasts.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const FEEDS = 12;
const credentialsFile = join(import.meta.dirname, "../support/credentials.json");
const headers = { "x-vendor-api-key": "first-api-key-0001" };
const admin = { authorization: "Bearer first-token-0001", "content-type": "application/json" };

it("each feed is refreshed once when its time has come", async () => {
  const folder = mkdtempSync(join(tmpdir(), "medley-podcasts-"));
  const feeds = await FeedServer.start();
  const database = await createDatabase();
  const nodes: NodeProcess[] = [];
  try {
    for (const name of ["one", "two"])
      nodes.push(
        await startServe(
          ...["--database", database, "--data", join(folder, name), "--services", "podcasts"],
          ...["--credentials", credentialsFile, "--log-level", "error", "--job-poll-ms", "50"],
        ),
      );
    const call = async (node: number, path: string, form?: Record<string, string>): Promise<any> => {
      const address = `${nodes[node % nodes.length]?.url}/podcasts/api/v2${path}`;
      const options = form && { method: "POST", body: new URLSearchParams(form) };
      return (await fetch(address, { headers, ...options })).json();
    };
    const paths = Array.from({ length: FEEDS }, (_, at) => `/feed-${at}.xml`);
    const submitAll = () =>
      Promise.all(
        paths.map((path, at) => {
          const rss = feeds.url(path);
          return call(at, "/podcasts/submit", { rss });
        }),
      );
    for (const [at, path] of paths.entries()) feeds.serve(path, feedOf(`Show ${at}`, items(3)));
    await submitAll();
    await eventually(
      async () => (await submitAll()).every(({ status }) => status === "found"),
      "all feeds being listed",
    );
    expect(paths.map((path) => feeds.countOf(path))).toEqual(paths.map(() => 1));

    for (const [at, path] of paths.entries()) feeds.serve(path, feedOf(`Show ${at}`, items(4)));
    const before = feeds.asked.length;
    const podcasts = await submitAll();
    // Silent for so long, they are looked at once a week.
    await fetch(`${nodes[0]?.url}/_medley/clock/advance`, {
      method: "POST",
      headers: admin,
      body: JSON.stringify({ by: "8d" }),
    });
    await eventually(async () => {
      const all = await Promise.all(
        podcasts.map(({ podcast }, at) => call(at + 1, `/podcasts/${podcast.id}`)),
      );
      return all.every(({ total_episodes }) => total_episodes === 4);
    }, "every podcast having its new episode");
    const asked = feeds.asked.slice(before).map(({ path }) => path);
    expect(asked.sort()).toEqual([...paths].sort());
  } finally {
    await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
    await feeds.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
