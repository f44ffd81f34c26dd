/** Tasks that cut, seal, open and check chunks, and that read and write trees of files. */
import { matchesPattern } from "#kernel/arn";
import { makeRoom } from "#kernel/memory";
import { EarlierPointGoneError, type Progress, TreeBackup } from "../tree/backup.ts";
import { TreeError } from "../tree/place.ts";
import { TreeRestore } from "../tree/restore.ts";
import { letGo, movable, type Questions } from "./conversation.ts";
import { type VaultKeys, vaultKeysOf } from "./keys.ts";
import { type ChunkSource, type Entry, ManifestWriter, readEntries, readRoot } from "./manifest.ts";
import { type ChunkSink, type Extent, Packer } from "./packer.ts";
import { Reader } from "./reader.ts";
import { COLD_QUALITY, DamagedChunkError, nameOf, open, type SealedChunk, seal } from "./sealing.ts";
import type {
  BackupStreamTask,
  BackupTreeTask,
  CheckTask,
  CoolTask,
  CopyTask,
  CountTask,
  GivenTask,
  Item,
  KeyMaterial,
  NeedsTask,
  RestoreStreamTask,
  RestoreTreeTask,
  SearchTask,
  StorageFailure,
  StorageResult,
} from "./work.ts";

const TOLD_EVERY_MS = 200;
/** Each of them is in memory as it was stored, opened, and sealed anew. */
const CHUNKS_AT_ONCE = 4;
const ENTRIES_AT_ONCE = 64;
/** Cache limit. Files far apart seldom share chunks, and a dropped entry only costs another decryption. */
const NAMES_KEPT_MAX = 50_000;
const NEEDS_AT_ONCE = 500;

const keysOf = ({ vaultId, vaultKey }: KeyMaterial): VaultKeys => vaultKeysOf(vaultId, vaultKey);
const chunkSinkOf = (asking: Questions): ChunkSink => ({
  hold: (ids) => asking.ask("hold", ids),
  store: (chunks: readonly SealedChunk[]) =>
    asking.ask("store", chunks, movable(chunks.map(({ bytes }) => bytes))),
});
const chunkSourceOf = (asking: Questions): ChunkSource => ({ fetch: (ids) => asking.ask("fetch", ids) });

/** Reports progress at intervals. If the main thread wants the task to stop, its reply is an error. */
function progressOf(asking: Questions): Progress {
  let toldAt = 0;
  return async (bytes, bytesTotal, newBytes) => {
    const now = performance.now();
    if (now - toldAt < TOLD_EVERY_MS && bytes < bytesTotal) return;
    toldAt = now;
    await asking.ask("progress", { bytes, bytesTotal, newBytes });
  };
}

async function backupTree(task: BackupTreeTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  const earlier =
    task.earlierRoot === undefined
      ? undefined
      : readEntries(keys, source, await readRoot(keys, source, task.earlierRoot));
  const backup = new TreeBackup(keys, chunkSinkOf(asking), progressOf(asking));
  return { stored: await backup.run({ roots: task.roots, path: task.path, earlier }) };
}

async function backupStream(task: BackupStreamTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const sink = chunkSinkOf(asking);
  const packer = new Packer(keys, sink);
  for (;;) {
    const bytes = await asking.ask<Uint8Array | undefined>("next", undefined);
    if (bytes === undefined) break;
    await packer.write(bytes);
    letGo([bytes]);
  }
  await packer.end();
  const size = packer.position;
  const manifest = new ManifestWriter(keys, sink);
  await manifest.add({ path: "", kind: "stream", size, extents: packer.extentsOf(0, size) });
  return { stored: { ...(await manifest.end()), skipped: [], skippedCount: 0 } };
}

async function restoreTree(task: RestoreTreeTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  const root = await readRoot(keys, source, task.root);
  const progress = progressOf(asking);
  const { roots, path, inPlace, scratchName } = task;
  const restore = new TreeRestore({ roots, path, inPlace, scratchName }, new Reader(keys, source), (bytes) =>
    progress(bytes, root.bytes, 0),
  );
  await restore.run(readEntries(keys, source, root));
  return { done: true };
}

async function restoreStream(task: RestoreStreamTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  const reader = new Reader(keys, source);
  for await (const { extents = [] } of readEntries(keys, source, await readRoot(keys, source, task.root)))
    for await (const bytes of reader.read(extents)) {
      const own = Buffer.from(bytes);
      await asking.ask("bytes", own, movable([own]));
    }
  return { done: true };
}

/** Names differ from vault to vault, so the manifest is written anew with the names that chunks have there. */
class Copy {
  readonly #from: VaultKeys;
  readonly #to: VaultKeys;
  readonly #source: ChunkSource;
  readonly #sink: ChunkSink;
  readonly #names = new Map<string, string>();
  constructor(task: CopyTask, asking: Questions) {
    this.#from = keysOf(task.keys);
    this.#to = keysOf(task.destination);
    this.#source = chunkSourceOf(asking);
    this.#sink = chunkSinkOf(asking);
  }
  async run(rootId: string, progress: Progress): Promise<StorageResult> {
    const root = await readRoot(this.#from, this.#source, rootId);
    const manifest = new ManifestWriter(this.#to, this.#sink);
    let bytes = 0;
    let window: Entry[] = [];
    const move = async () => {
      makeRoom(this.#names, NAMES_KEPT_MAX);
      await this.#copy(window.flatMap(({ extents = [] }) => extents.map(([id]) => id)));
      for (const entry of window) await manifest.add(this.#renamed(entry));
      for (const { size = 0 } of window) bytes += size;
      window = [];
      await progress(bytes, root.bytes, bytes);
    };
    for await (const entry of readEntries(this.#from, this.#source, root)) {
      window.push(entry);
      if (window.length >= ENTRIES_AT_ONCE) await move();
    }
    await move();
    return { stored: { ...(await manifest.end()), skipped: [], skippedCount: 0 } };
  }
  #renamed(entry: Entry): Entry {
    if (!entry.extents) return entry;
    const extents = entry.extents.map(
      ([id, offset, length]): Extent => [this.#names.get(id) as string, offset, length],
    );
    return { ...entry, extents };
  }
  async #copy(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#names.has(id));
    for (let start = 0; start < wanted.length; start += CHUNKS_AT_ONCE)
      await this.#copySome(wanted.slice(start, start + CHUNKS_AT_ONCE));
  }
  async #copySome(ids: readonly string[]): Promise<void> {
    const found = await this.#source.fetch(ids);
    const contents = new Map<string, Buffer>();
    for (const [at, id] of ids.entries()) {
      const content = await open(this.#from, id, found[at]);
      const name = nameOf(this.#to, content);
      this.#names.set(id, name);
      contents.set(name, content);
    }
    const missing = await this.#sink.hold([...contents.keys()]);
    const chunks = await Promise.all(missing.map((id) => seal(this.#to, id, contents.get(id) as Buffer)));
    letGo([...found, ...contents.values()]);
    if (chunks.length > 0) await this.#sink.store(chunks);
  }
}

async function check({ keys: material, ids }: CheckTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(material);
  const source = chunkSourceOf(asking);
  const damaged: string[] = [];
  for (let start = 0; start < ids.length; start += CHUNKS_AT_ONCE) {
    const some = ids.slice(start, start + CHUNKS_AT_ONCE);
    const found = await source.fetch(some);
    const isSound = (id: string, at: number) =>
      open(keys, id, found[at]).then(
        (content) => {
          letGo([content]);
          return true;
        },
        () => false,
      );
    const sound = await Promise.all(some.map(isSound));
    letGo(found);
    damaged.push(...some.filter((_, at) => !sound[at]));
  }
  return { damaged };
}

async function cool({ keys: material, ids }: CoolTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(material);
  const source = chunkSourceOf(asking);
  const sink = chunkSinkOf(asking);
  for (let start = 0; start < ids.length; start += CHUNKS_AT_ONCE) {
    const missing = await sink.hold(ids.slice(start, start + CHUNKS_AT_ONCE));
    const found = await source.fetch(missing);
    const chunks: SealedChunk[] = [];
    for (const [at, id] of missing.entries()) {
      const content = await open(keys, id, found[at]);
      chunks.push(await seal(keys, id, content, { quality: COLD_QUALITY }));
      letGo([content]);
    }
    letGo(found);
    if (chunks.length > 0) await sink.store(chunks);
  }
  return { done: true };
}

/** The folder that was backed up is not inside itself. */
const isItem = ({ path, kind }: Entry): boolean => path !== "" || kind !== "folder";

async function count(task: CountTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  let entries = 0;
  for await (const entry of readEntries(keys, source, await readRoot(keys, source, task.root)))
    if (isItem(entry)) entries += 1;
  return { count: entries };
}

async function needs(task: NeedsTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  const root = await readRoot(keys, source, task.root);
  await asking.ask("needs", [task.root, ...root.chunks]);
  const waiting = new Set<string>();
  const tell = async () => {
    await asking.ask("needs", [...waiting]);
    waiting.clear();
  };
  for await (const { extents = [] } of readEntries(keys, source, root)) {
    for (const [id] of extents) waiting.add(id);
    if (waiting.size >= NEEDS_AT_ONCE) await tell();
  }
  await tell();
  return { done: true };
}

const textOf = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

async function search(task: SearchTask, asking: Questions): Promise<StorageResult> {
  const keys = keysOf(task.keys);
  const source = chunkSourceOf(asking);
  const items: Item[] = [];
  const pattern = task.pattern.toLowerCase();
  let isBehind = task.after === undefined;
  for await (const entry of readEntries(keys, source, await readRoot(keys, source, task.root))) {
    if (isBehind && isItem(entry) && matchesPattern(pattern, textOf(entry.path).toLowerCase())) {
      const { path, kind, size, modifiedNs } = entry;
      items.push({ path, kind, ...(size !== undefined && { size }), ...(modifiedNs && { modifiedNs }) });
    }
    if (items.length >= task.limit) break;
    isBehind ||= entry.path === task.after;
  }
  return { items };
}

function work(task: GivenTask, asking: Questions): Promise<StorageResult> {
  switch (task.kind) {
    case "backup-tree":
      return backupTree(task, asking);
    case "backup-stream":
      return backupStream(task, asking);
    case "restore-tree":
      return restoreTree(task, asking);
    case "restore-stream":
      return restoreStream(task, asking);
    case "copy":
      return new Copy(task, asking).run(task.root, progressOf(asking));
    case "check":
      return check(task, asking);
    case "cool":
      return cool(task, asking);
    case "count":
      return count(task, asking);
    case "needs":
      return needs(task, asking);
    case "search":
      return search(task, asking);
  }
}

function failureOf(error: unknown): StorageFailure {
  if (error instanceof TreeError) return { kind: "source", message: error.message };
  if (error instanceof DamagedChunkError) return { kind: "damaged", message: error.message, chunk: error.id };
  if (error instanceof EarlierPointGoneError) return { kind: "earlier-gone", message: "" };
  throw error;
}

/** Runs a task on this thread. It sends requests to the main thread for all database access. */
export async function perform(task: GivenTask, asking: Questions): Promise<StorageResult> {
  try {
    return await work(task, asking);
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
