/** Scans the watched folder and ingests changed feeds. */
import { jobsFor } from "#kernel/operation";
import { folderWork, scheduleFolder } from "../import/folder-watch.ts";
import { type FoundFile, filesBelow, readSource } from "../import/sources.ts";
import type { PodcastsContext, State } from "../state.ts";
import type { Tables } from "../tables.ts";
import { takeDocument } from "./hand-over.ts";

const LOOK_MS = 60_000;

async function takeFile(context: PodcastsContext, { path, name }: FoundFile): Promise<void> {
  const { log, state } = context;
  try {
    const source = await readSource(path, name);
    if (source.kind !== "feed") return;
    const { status, reason } = await takeDocument(context, source.bytes, name);
    if (status === "rejected") log.info("a feed of the watched folder is not listed", { name, reason });
  } catch (error) {
    state.folderWatch.forgetFile(path);
    log.error("a feed of the watched folder could not be read", { name, error: String(error) });
  }
}
async function takeAll(context: PodcastsContext, folder: string): Promise<void> {
  const { state } = context;
  const files = await filesBelow(folder);
  state.folderWatch.keepOnly(new Set(files.map(({ path }) => path)));
  const changed: FoundFile[] = [];
  for (const file of files) if (await state.folderWatch.hasChanged(file.path)) changed.push(file);
  if (changed.length === 0) return;
  await state.imports.during(context, "Files of the watched folder", async (reach) => {
    for (const [done, file] of changed.entries()) {
      reach({ done, of: changed.length });
      await takeFile(context, file);
    }
  });
}

export const lookIntoFolder = jobsFor<Tables, State>()({
  ...folderWork,
  transaction: "manual",
  housekeeping: true,
  async run(_payload, context) {
    const { folder } = context.state.folderWatch;
    if (folder?.account !== context.account) return;
    try {
      await takeAll(context, folder.path);
    } catch (error) {
      context.log.error("the watched folder of feeds could not be read", { error: String(error) });
    }
    await context.transact((inner) => scheduleFolder(inner, inner.clock.nowMs() + LOOK_MS));
  },
});
