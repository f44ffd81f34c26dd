/** Writes an archive in steps. After a crash, the next run continues after the last committed contribution. */
import { Type } from "@sinclair/typebox";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import { type Caller, narrowed, type Sight } from "../domain/access.ts";
import type { Filter } from "../domain/filter.ts";
import { createdAtMsOf, firstPlaceOf } from "../domain/order.ts";
import type { ContributionsContext, State } from "../state.ts";
import * as store from "../store/exports.ts";
import { pageOfContributions } from "../store/search.ts";
import type { ContributionRow, ExportEntryRow, ExportRow, Tables } from "../tables/index.ts";
import { sightOf } from "../views/caller.ts";
import { type ContributionView, contributionViewsOf } from "../views/contribution-views.ts";
import { Archive } from "./archive.ts";
import type { Choice } from "./choice.ts";
import { mediaFilesOf } from "./media-files.ts";
import { COMBINED_NAME, fileNameOf, jsonName, textName } from "./names.ts";
import { separated, textOf } from "./texts.ts";
import type { ZipEntry } from "./zip.ts";

const job = jobsFor<Tables, State>();
const KEPT_MS = 7 * 86_400_000;
/** The limit for one user. */
const KEPT_MAX = 20;
const PAGE_SIZE = 50;
/** The archive is committed after this many bytes, so that a crash repeats little work. */
const COMMIT_BYTES = 16 * 1024 * 1024;

export const STEPS = {
  waiting: "waiting",
  contributions: "writing contributions",
  combined: "writing the combined text",
  directory: "writing the directory",
  done: "done",
  failed: "failed",
} as const;

class TakenOver extends Error {}

/** One running export. */
class Writing {
  readonly #context: ContributionsContext;
  readonly #archive: Archive;
  readonly #choice: Choice;
  readonly #filter: Filter;
  readonly #sight: Sight;
  #row: ExportRow;

  constructor(context: ContributionsContext, row: ExportRow, archive: Archive) {
    this.#context = context;
    this.#row = row;
    this.#archive = archive;
    this.#choice = JSON.parse(row.choice);
    this.#filter = JSON.parse(row.filter);
    this.#sight = JSON.parse(row.sight);
  }
  get #caller(): Caller {
    const { owner_id: userId, account } = this.#row;
    return userId === account ? { kind: "account", userId } : { kind: "user", userId };
  }
  /** Only contributions that existed at the time of the request, and that the requester may still see. */
  async #page(beforePlace: number): Promise<{ rows: ContributionRow[]; views: ContributionView[] }> {
    const { db, account, clock, secrets, request } = this.#context;
    const sight = narrowed(this.#sight, await sightOf(this.#context, this.#caller));
    const wanted = { filter: this.#filter, sight };
    const rows = await pageOfContributions(db, account, wanted, { beforePlace, limit: PAGE_SIZE });
    const viewing = { db, account, clock, secrets, request: { ...request, mountUrl: this.#row.base_url } };
    return { rows, views: await contributionViewsOf(viewing, this.#caller, rows) };
  }
  async #commit(change: Partial<ExportRow>): Promise<void> {
    const before = this.#row;
    const { size } = this.#archive;
    let next: Partial<ExportRow> = {};
    await this.#archive.commit(async ({ db, account }, entries) => {
      next = { ...change, size, entries: before.entries + entries.length };
      if (!(await store.changeExport(db, account, before, next))) throw new TakenOver();
      await store.insertEntries(
        db,
        entries.map((entry, i) => entryRow(before, before.entries + i, entry)),
      );
    });
    this.#row = { ...before, ...next };
  }

  async writeContributions(): Promise<void> {
    const { individual, json, media } = this.#choice;
    if (!individual && !json && media === "none") return;
    for (;;) {
      const { rows, views } = await this.#page(this.#row.last_place ?? placeBeyond(this.#row));
      let done = this.#row.done;
      for (const [i, view] of views.entries()) {
        await this.#writeOne(view, rows[i] as ContributionRow);
        done += 1;
        if (this.#archive.size - this.#row.size >= COMMIT_BYTES)
          await this.#commit({ done, last_place: rows[i]?.place ?? null });
      }
      await this.#commit({ done, last_place: rows.at(-1)?.place ?? this.#row.last_place });
      if (rows.length < PAGE_SIZE) return;
    }
  }
  async #writeOne(view: ContributionView, row: ContributionRow): Promise<void> {
    const atMs = createdAtMsOf(row.place);
    const name = nameOf(row);
    const files = await mediaFilesOf(this.#context, view, name, this.#choice.media);
    const names = files.map((file) => file.name);
    if (this.#choice.individual)
      await this.#archive.addText({ name: textName(name), atMs }, textOf(view, names));
    if (this.#choice.json)
      await this.#archive.addText({ name: jsonName(name), atMs }, `${JSON.stringify(view, undefined, 2)}\n`);
    for (const file of files) await this.#archive.addContent({ name: file.name, atMs }, file.size, file.read);
  }

  async writeCombined(): Promise<void> {
    if (!this.#choice.combined) return;
    await this.#archive.addLongText(
      { name: COMBINED_NAME, atMs: this.#row.started_at },
      this.#combinedTexts(),
    );
  }
  async *#combinedTexts(): AsyncGenerator<string> {
    for (let after = placeBeyond(this.#row); ; ) {
      const { rows, views } = await this.#page(after);
      for (const [i, view] of views.entries()) {
        const files = await mediaFilesOf(
          this.#context,
          view,
          nameOf(rows[i] as ContributionRow),
          this.#choice.media,
        );
        yield separated(
          textOf(
            view,
            files.map(({ name }) => name),
          ),
        );
      }
      if (rows.length < PAGE_SIZE) return;
      after = rows.at(-1)?.place ?? after;
    }
  }
  begin(step: string): Promise<void> {
    return this.#commit({ step });
  }
  async finish(): Promise<void> {
    const { db, account, clock } = this.#context;
    const { id, contributions } = this.#row;
    await this.#archive.finish(entriesOf(db, account, id), async (within, size) => {
      const nowMs = clock.nowMs();
      const end = { step: STEPS.done, done: contributions, size, finished_at: nowMs, completed_at: nowMs };
      if (!(await store.changeExport(within.db, account, this.#row, end))) throw new TakenOver();
      await planForgetting(within, id, nowMs + KEPT_MS);
      for (const old of await store.listBeyondLatest(within.db, account, this.#row.owner_id, KEPT_MAX))
        await planForgetting(within, old, nowMs);
    });
  }
}

const nameOf = ({ id, url_words: urlWords, place }: ContributionRow): string =>
  fileNameOf({ id, urlWords, createdAtMs: createdAtMsOf(place) });
/** Contributions that are newer than the export are not part of it. */
const placeBeyond = ({ started_at }: ExportRow): number => firstPlaceOf(started_at + 1);

const entryRow = ({ account, id }: ExportRow, position: number, entry: ZipEntry): ExportEntryRow => ({
  account,
  export_id: id,
  position,
  name: entry.name,
  crc: entry.crc,
  size: entry.size,
  compressed_size: entry.compressedSize,
  offset: entry.offset,
  is_deflated: entry.isDeflated ? 1 : 0,
  is_streamed: entry.isStreamed ? 1 : 0,
  at: entry.atMs,
});
async function* entriesOf(
  db: ContributionsContext["db"],
  account: string,
  id: string,
): AsyncGenerator<ZipEntry> {
  for await (const row of store.allEntries(db, account, id))
    yield {
      name: row.name,
      crc: Number(row.crc),
      size: Number(row.size),
      compressedSize: Number(row.compressed_size),
      offset: Number(row.offset),
      isDeflated: Number(row.is_deflated) === 1,
      isStreamed: Number(row.is_streamed) === 1,
      atMs: Number(row.at),
    };
}

/** Continues from the last committed step. Later bytes are written again. */
async function write(context: ContributionsContext, row: ExportRow): Promise<void> {
  const archive = await Archive.open(context, row.blob_id, row.size);
  const writing = new Writing(context, row, archive);
  try {
    if (row.step === STEPS.waiting || row.step === STEPS.contributions) {
      if (row.step === STEPS.waiting) await writing.begin(STEPS.contributions);
      await writing.writeContributions();
      await writing.begin(STEPS.combined);
    }
    if (row.step !== STEPS.directory) {
      await writing.writeCombined();
      await writing.begin(STEPS.directory);
    }
    await writing.finish();
  } catch (error) {
    archive.giveUp();
    throw error;
  }
}

async function run(
  { id }: { id: string },
  context: ContributionsContext,
  { lastAttempt }: JobAttempt,
): Promise<void> {
  const { account } = context;
  const row = await store.findExport(context.db, account, id);
  if (!row || row.finished_at !== null) return;
  try {
    await write(context, row);
  } catch (error) {
    if (error instanceof TakenOver) return;
    if (!lastAttempt) throw error;
    context.log.error("an export failed", { export: id, error: (error as Error).message });
    await context.transact(async (within) => {
      const nowMs = within.clock.nowMs();
      const now = (await store.findExport(within.db, account, id)) ?? row;
      await store.changeExport(within.db, account, now, { step: STEPS.failed, finished_at: nowMs });
      await planForgetting(within, id, nowMs + KEPT_MS);
    });
  }
}

export const writeExport = job({
  name: "contributions.export",
  payload: Type.Object({ id: Type.String() }),
  transaction: "manual",
  run,
});
const forgetExport = job({
  name: "contributions.forget-export",
  payload: Type.Object({ id: Type.String() }),
  housekeeping: true,
  async run({ id }, { db, account, blobs }) {
    const blobId = await store.deleteExport(db, account, id);
    if (blobId !== undefined) await blobs.remove(blobId);
  },
});
const planForgetting = (context: ContributionsContext, id: string, runAtMs: number): Promise<string> =>
  context.enqueue(forgetExport, { id }, { key: `forget-export:${id}`, runAtMs });
export const exportJobs = [writeExport, forgetExport];
