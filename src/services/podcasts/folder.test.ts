/** The watched folder: feeds that are put there are listed, and what changes in them is read, without anybody asking. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { Directory, feedOf, items } from "../../../tests/support/podcasts.ts";
import type { Instance as Own, Service } from "../../kernel/operation/index.ts";
import { scheduleFolder } from "./import/folder-watch.ts";
import podcasts from "./index.ts";
import { settings } from "./settings.ts";

let inside: Own;
/** The service as it is; its jobs are within the test's reach. */
const reachable: Service = {
  ...podcasts,
  start(own) {
    inside = own;
    return podcasts.start?.(own);
  },
};

const folder = mkdtempSync(join(tmpdir(), "feeds-"));
const outside = mkdtempSync(join(tmpdir(), "not-feeds-"));
let instance: Instance;
const directory = new Directory(() => instance);
const put = (name: string, document: string) => writeFileSync(join(folder, name), document);
const totalsOf = async (): Promise<Record<string, number>> => {
  const { results } = await directory.read("/search?q=garden&type=podcast");
  return Object.fromEntries(
    results.map((one: { title_original: string; total_episodes: number }) => [
      one.title_original,
      one.total_episodes,
    ]),
  );
};
const becomes = (wanted: Record<string, number>) =>
  eventually(async () => {
    await instance.clock.advance("2m");
    return JSON.stringify(await totalsOf()) === JSON.stringify(wanted);
  }, JSON.stringify(wanted));

beforeAll(async () => {
  put("first.xml", feedOf("Garden one", items(2)));
  put("notes.txt", "no feed");
  put("broken.xml", "<rss><channel>");
  writeFileSync(join(outside, "secret.xml"), feedOf("Garden of others", items(1)));
  symlinkSync(join(outside, "secret.xml"), join(folder, "link.xml"));
  instance = await startInstance({
    services: [],
    extraServices: [reachable],
    podcastsFolder: `${accounts.first.id}=${folder}`,
  } as object);
}, 120_000);
afterAll(async () => {
  await instance.stop();
  for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
});

it("lists what lies in it, and follows what changes", async () => {
  await becomes({ "Garden one": 2 });
  put("first.xml", feedOf("Garden one", items(5)));
  await becomes({ "Garden one": 5 });
  mkdirSync(join(folder, "below"));
  put("below/second.xml", feedOf("Garden two", items(1)));
  await becomes({ "Garden one": 5, "Garden two": 1 });
  rmSync(join(folder, "first.xml"));
  await becomes({ "Garden one": 5, "Garden two": 1 });
});
it("is read by jobs of its account alone", async () => {
  const { id } = accounts.second;
  put("third.xml", feedOf("Garden three", items(1)));
  await inside.transactAs("podcasts", id, (own) => scheduleFolder(own, own.clock.nowMs()));
  await eventually(async () => {
    const { body } = await instance.bearer("GET", `/_medley/jobs?account=${id}&limit=100`);
    return body.jobs.every(({ state }: { state: string }) => state !== "waiting" && state !== "running");
  }, "the end of the job");
  await becomes({ "Garden one": 5, "Garden two": 1, "Garden three": 1 });
});
it("is named with the account whose podcasts they are", () => {
  const [folderSetting] = settings;
  expect(folderSetting?.read("123456789012=/srv/my feeds")).toEqual({
    account: "123456789012",
    path: "/srv/my feeds",
  });
  for (const text of ["/srv/feeds", "12=/srv", "123456789012="])
    expect(() => folderSetting?.read(text)).toThrow("is no account and folder");
});
