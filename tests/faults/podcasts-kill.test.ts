/** Killed with -9 while a long feed is entered: in the end every episode is there once, and is found once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/medley.ts";
import { FeedServer, feedOf } from "../support/podcasts.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { databasesHere } from "../support/test-part.ts";

const EPISODES = 600;
const KILLS = 1;
const credentialsFile = join(import.meta.dirname, "../support/credentials.json");
const headers = { "x-vendor-api-key": "first-api-key-0001" };

const items = Array.from({ length: EPISODES }, (_, at) => ({
  guid: `e${at}`,
  title: `Lantern number ${at}`,
  date: new Date(Date.UTC(2010, 0, 1 + at)).toUTCString(),
}));

async function call(node: NodeProcess, path: string, form?: Record<string, string>): Promise<any> {
  const answer = await fetch(`${node.url}/podcasts/api/v2${path}`, {
    headers,
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });
  return answer.json();
}
/** Of all pages. */
async function titlesOf(node: NodeProcess, id: string): Promise<string[]> {
  const titles: string[] = [];
  for (let next = ""; ; ) {
    const podcast = await call(node, `/podcasts/${id}?sort=recent_first${next}`);
    titles.push(...podcast.episodes.map(({ title }: { title: string }) => title));
    if (podcast.next_episode_pub_date === null) return titles;
    next = `&next_episode_pub_date=${podcast.next_episode_pub_date}`;
  }
}

describe.each(databasesHere())("a long feed on %s", (kind) => {
  it("is entered whole and once, though the server is killed on its way", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-podcasts-"));
    const feeds = await FeedServer.start();
    const rss = feeds.serve("/long.xml", feedOf("Lanterns", items));
    const words = [
      "--data",
      data,
      "--credentials",
      credentialsFile,
      "--services",
      "podcasts",
      "--log-level",
      "error",
    ];
    if (kind === "postgres") words.push("--database", await createDatabase());
    let node = await startServe(...words);
    const { podcast } = await call(node, "/podcasts/submit", { rss });
    let entered = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const goal = (EPISODES * kill) / (KILLS + 1);
      entered = await eventually(async () => {
        const { total } = await call(node, "/search?q=lantern&type=episode");
        return total >= goal && total;
      });
      await node.kill("SIGKILL");
      node = await startServe(...words);
    }
    expect(entered).toBeGreaterThan(0);
    await eventually(async () => (await call(node, "/podcasts/submit", { rss })).status === "found");
    expect((await call(node, `/podcasts/${podcast.id}`)).total_episodes).toBe(EPISODES);
    const titles = await titlesOf(node, podcast.id);
    expect([titles.length, new Set(titles).size]).toEqual([EPISODES, EPISODES]);
    expect((await call(node, "/search?q=lantern&type=episode")).total).toBe(EPISODES);
    await node.kill("SIGTERM");
    await feeds.stop();
    rmSync(data, { recursive: true, force: true });
  });
});
