/** The state of functions on this node: unpacked sources, processes, and cached lookups of addresses. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, chown, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Instance as NodeInstance } from "#kernel/operation";
import { workerFile } from "#kernel/workers";
import { type Definition, servedRevisionsOf, sharesOf } from "../domain/index.ts";
import { settingsOf } from "../settings.ts";
import type { ServedFunction } from "../store/index.ts";
import { install, packInstalled, wantsInstall } from "./install.ts";
import type { Prepared, Surroundings } from "./instance.ts";
import { KeptLines } from "./kept-lines.ts";
import { clearLeftovers, makeRootFolder } from "./leftovers.ts";
import { FunctionLogs, type LogTarget } from "./logs.ts";
import { InstancePool } from "./pool.ts";
import { findRationing, type Rationing } from "./processor-share.ts";
import { findPython, type Python } from "./python.ts";
import { removeFolder } from "./removal.ts";
import { findLevel, type Level, userIdOf } from "./sandbox.ts";
import { TrafficSplit } from "./traffic-split.ts";
import { unpackStream, writeSecrets } from "./unpacked.ts";

/** Replaces the public framework's package for sources that do not contain it. */
const FRAMEWORK = "node_modules/@google-cloud/functions-framework";
/** Files beside this one, and where they go beside a source. */
const RUNNER_FILES = {
  ...Object.fromEntries(
    ["node", "background", "command", "frames", "exchange", "styles"].map((name) => [
      `runner/${name}.js`,
      `${name}.js`,
    ]),
  ),
  [`${FRAMEWORK}/index.js`]: "functions-framework.cjs",
  "python/runner.py": "python/runner.py",
  "python/functions_framework.py": "python/functions_framework.py",
};
/** Sources are CommonJS unless their package.json says otherwise. */
const DESCRIPTIONS = {
  "package.json": "{}",
  "runner/package.json": '{"type":"module"}',
  [`${FRAMEWORK}/package.json`]:
    '{"name":"@google-cloud/functions-framework","version":"0.0.0-medley","main":"index.js"}',
};
const KNOWN_MS = 1000;

/** A revision that can be brought up. */
export type Bringing = {
  readonly account: string;
  readonly slug: string;
  readonly functionId: string;
  readonly revision: string;
  readonly language: "nodejs" | "python" | "command";
  readonly definition: Definition;
  readonly secretVariables: Readonly<Record<string, string>>;
  /** Files by the path that the function finds them at. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** The archive. */
  source(): AsyncIterable<Uint8Array>;
  /** The archive of its installed `node_modules`. */
  dependencies?(): AsyncIterable<Uint8Array>;
};
/** A source whose dependencies are wanted. */
export type Installing = Pick<Bringing, "account" | "slug" | "revision" | "source"> & {
  readonly variables: Readonly<Record<string, string>>;
};
type Known = { readonly served: ServedFunction; readonly untilMs: number };
type RoutedFunction = Pick<ServedFunction, "slug" | "revision" | "traffic">;
type KnownSplit = { readonly served: ServedFunction; readonly split: TrafficSplit };

export class Running {
  readonly logs: FunctionLogs;
  readonly #node: NodeInstance;
  readonly #settings: ReturnType<typeof settingsOf>;
  /** By slug and revision. */
  readonly #pools = new Map<string, Promise<InstancePool>>();
  /** The revisions of each slug that get requests. */
  readonly #current = new Map<string, Map<string, InstancePool>>();
  readonly #known = new Map<string, Known>();
  readonly #splits = new Map<string, KnownSplit>();
  #changes = 0;
  #root: Promise<string> | undefined;
  #level: Promise<Level> | undefined;
  #rationing: Rationing | undefined;
  #python: Promise<Python | undefined> | undefined;
  #instances = 0;
  #prepared = 0;
  readonly #keptLines = new KeptLines();
  readonly #stopping = new AbortController();

  constructor(node: NodeInstance) {
    this.#node = node;
    this.#settings = settingsOf(node.config);
    clearLeftovers().catch((error: unknown) =>
      node.log.error("what a former server left could not be cleared", { error: String(error) }),
    );
    this.logs = new FunctionLogs(
      () => node.ids.sortable(),
      (target, lines) =>
        node.transactAs("functions", target.account, async ({ db }) => {
          await this.#keptLines.save(db, target, lines);
        }),
      (error) => node.log.error("lines of functions could not be kept", { error: String(error) }),
    );
  }
  level(): Promise<Level> {
    this.#level ??= findLevel(userIdOf(0), this.#settings.isolation);
    return this.#level;
  }
  rationing(): Rationing {
    this.#rationing ??= findRationing();
    return this.#rationing;
  }
  python(): Promise<Python | undefined> {
    this.#python ??= findPython();
    return this.#python;
  }
  get settings() {
    return this.#settings;
  }
  /** For the console. */
  get pools(): readonly InstancePool[] {
    return [...this.#current.values()].flatMap((pools) => [...pools.values()]);
  }

  /** The process pools of an address that were started. */
  poolsOf(slug: string): readonly InstancePool[] {
    return [...(this.#current.get(slug)?.values() ?? [])];
  }
  /** Grows with every change on this node. What was read before a change may be outdated. */
  get changes(): number {
    return this.#changes;
  }

  /** The function of an address. Cached for a moment only, because another node may have changed it. */
  async findServed(
    slug: string,
    look: () => Promise<ServedFunction | undefined>,
  ): Promise<ServedFunction | undefined> {
    const known = this.#known.get(slug);
    if (known && known.untilMs > performance.now()) return known.served;
    const { changes } = this;
    const served = await look();
    if (changes !== this.changes) return served;
    // Addresses that lead nowhere are as many as strangers make up: they are not remembered.
    if (!served) this.#known.delete(slug);
    else {
      this.#known.set(slug, { served, untilMs: performance.now() + KNOWN_MS });
      this.keepServed(served);
    }
    return served;
  }
  forgetServed(slug: string): void {
    this.#changes += 1;
    this.#known.delete(slug);
  }
  /** The revision for the next request without a tag. Each node takes split of its own. */
  nextRevision(served: ServedFunction): string {
    if (served.traffic === undefined) return served.revision ?? "";
    return this.#splitOf(served).next();
  }
  #splitOf(served: ServedFunction): TrafficSplit {
    const known = this.#splits.get(served.slug);
    if (known?.served === served) return known.split;
    const shares = sharesOf(served);
    const isSame = known && isDeepStrictEqual(sharesOf(known.served), shares);
    const split = isSame ? known.split : new TrafficSplit(shares);
    this.#splits.set(served.slug, { served, split });
    return split;
  }

  /** The processes of a revision; unpacked on first use. */
  poolOf(
    bringing: () => Promise<Bringing>,
    slug: string,
    revision: string,
  ): Promise<InstancePool> | InstancePool {
    return this.#current.get(slug)?.get(revision) ?? this.#add(bringing, slug, revision);
  }
  async #add(bringing: () => Promise<Bringing>, slug: string, revision: string): Promise<InstancePool> {
    const pool = await this.bringUp(bringing, slug, revision);
    this.#makeCurrent(slug, pool);
    return pool;
  }
  bringUp(bringing: () => Promise<Bringing>, slug: string, revision: string): Promise<InstancePool> {
    const key = `${slug}/${revision}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const making = bringing().then((what) => this.#make(what));
    this.#pools.set(key, making);
    making.catch(() => this.#pools.delete(key));
    return making;
  }
  #makeCurrent(slug: string, pool: InstancePool): void {
    const pools = this.#current.get(slug) ?? new Map<string, InstancePool>();
    this.#current.set(slug, pools.set(pool.prepared.revision, pool));
    pool.keepMinimum();
  }
  /** A revision that was just deployed gets requests if its function says so. Otherwise it ends. */
  deployed(one: RoutedFunction, pool: InstancePool): void {
    const { revision } = pool.prepared;
    if (servedRevisionsOf(one).has(revision)) this.#makeCurrent(one.slug, pool);
    else void this.discard(one.slug, revision);
    this.rerouted(one);
  }
  /** Its requests were divided anew. */
  rerouted(one: RoutedFunction): void {
    this.keepServed(one);
    this.forgetServed(one.slug);
  }
  /** Ends revisions that get no requests any more. They finish those under way. */
  keepServed(one: RoutedFunction): void {
    const served = servedRevisionsOf(one);
    for (const pool of this.poolsOf(one.slug)) {
      const { revision } = pool.prepared;
      if (served.has(revision)) continue;
      this.#current.get(one.slug)?.delete(revision);
      void this.#retire(one.slug, pool);
    }
  }
  /** Discards a revision that failed. */
  async discard(slug: string, revision: string): Promise<void> {
    const pool = await this.#pools.get(`${slug}/${revision}`)?.catch(() => undefined);
    if (pool && pool !== this.#current.get(slug)?.get(revision)) await this.#retire(slug, pool);
    this.#pools.delete(`${slug}/${revision}`);
  }
  async forgetFunction(slug: string): Promise<void> {
    this.forgetServed(slug);
    this.#splits.delete(slug);
    const pools = this.poolsOf(slug);
    this.#current.delete(slug);
    await Promise.all(pools.map((pool) => this.#retire(slug, pool)));
  }
  async #retire(slug: string, pool: InstancePool): Promise<void> {
    const { folder, revision, definition } = pool.prepared;
    this.#pools.delete(`${slug}/${revision}`);
    await pool.retire((definition.serviceConfig.timeoutSeconds ?? 60) * 1000);
    await removeFolder(folder);
  }

  async #make(bringing: Bringing): Promise<InstancePool> {
    const prepared = await this.#prepare(bringing);
    const { account, slug, revision } = bringing;
    const target: LogTarget = { account, slug, revision };
    const surroundings: Surroundings = {
      level: await this.level(),
      dataFolder: resolve(this.#node.config.dataFolder),
      hasNetwork: this.#settings.hasNetwork,
      userId: userIdOf(numberOf(slug)),
      rationing: this.rationing(),
    };
    const { clock } = this.#node;
    return new InstancePool(slug, prepared, {
      clock,
      surroundings,
      idleMs: this.#settings.idleMs,
      mayStart: () => this.#mayStart(),
      hasRoom: () => this.#hasRoom(),
      nextId: () => {
        this.#instances += 1;
        return String(this.#instances);
      },
      wrote: (line) => this.logs.add(target, "", line, clock.nowMs()),
    });
  }
  #hasRoom(): boolean {
    const running = this.pools.reduce((sum, { size }) => sum + size, 0);
    return !this.#stopping.signal.aborted && running < this.#settings.instancesMax;
  }
  #mayStart(): boolean {
    if (this.#stopping.signal.aborted) return false;
    if (this.#hasRoom()) return true;
    const resting = this.pools
      .filter(({ idleSinceMs }) => idleSinceMs !== undefined)
      .sort((left, right) => (left.idleSinceMs ?? 0) - (right.idleSinceMs ?? 0));
    return resting[0]?.giveUpOne() ?? false;
  }

  async #prepare(bringing: Bringing): Promise<Prepared> {
    const folder = await this.#nextFolder();
    const code = join(folder, "code");
    try {
      await unpackStream(bringing.source(), folder, code);
      if (bringing.dependencies) {
        await mkdir(join(code, "node_modules"));
        await unpackStream(bringing.dependencies(), folder, join(code, "node_modules"));
      }
      await this.#writeRunner(folder);
      const secretFolders = await writeSecrets(folder, bringing.secretFiles);
      const userId = userIdOf(numberOf(bringing.slug));
      // The function may read it through its group. If it could write there, it could put links in the server's way.
      if (userId !== undefined) await chown(folder, 0, userId);
      await chmod(folder, 0o750);
      const { language, definition, functionId, revision, secretVariables } = bringing;
      const python = language === "python" ? await this.python() : undefined;
      return { folder, language, python, definition, functionId, revision, secretVariables, secretFolders };
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  }
  /**
   * Installs the dependencies in package.json that the source lacks, and passes their archive to `keep`.
   * Does nothing if none is missing.
   */
  async installFor(
    { slug, account, revision, source, variables }: Installing,
    keep: (archive: AsyncIterable<Uint8Array>) => Promise<string>,
  ): Promise<string | undefined> {
    const folder = await this.#nextFolder();
    const folders = [folder];
    const code = join(folder, "code");
    const userId = userIdOf(numberOf(slug));
    try {
      await unpackStream(source(), folder, code);
      if (!(await wantsInstall(code))) return undefined;
      if (userId !== undefined) for (const one of [folder, code]) await chown(one, userId, userId);
      await install({
        folder,
        level: await this.level(),
        userId,
        variables,
        signal: this.#stopping.signal,
        wrote: (line) => this.logs.add({ account, slug, revision }, "build", line, this.#node.clock.nowMs()),
      });
      const packing = await this.#nextFolder();
      folders.push(packing);
      const packed = join(packing, "node_modules.zip");
      await packInstalled(code, packed);
      return await keep(createReadStream(packed));
    } finally {
      await Promise.all(folders.map(removeFolder));
    }
  }
  async #nextFolder(): Promise<string> {
    // Short: the address of a socket has little room.
    this.#prepared += 1;
    // Taken before the first await, because another call may run in between.
    const number = String(this.#prepared);
    const folder = join(await this.#rootFolder(), number);
    await mkdir(folder, { mode: 0o700 });
    await mkdir(join(folder, "code"));
    return folder;
  }
  async #writeRunner(folder: string): Promise<void> {
    const files = [...Object.keys(RUNNER_FILES), ...Object.keys(DESCRIPTIONS)];
    for (const name of new Set(files.map((file) => dirname(file))))
      await mkdir(join(folder, name), { recursive: true });
    for (const [name, source] of Object.entries(RUNNER_FILES))
      await copyFile(
        workerFile(import.meta.url, `services/functions/running/runner/${source}`),
        join(folder, name),
      );
    for (const [name, content] of Object.entries(DESCRIPTIONS)) await writeFile(join(folder, name), content);
  }
  #rootFolder(): Promise<string> {
    this.#root ??= makeRootFolder().catch((error: unknown) => {
      // The disk may have room again for the next.
      this.#root = undefined;
      throw error;
    });
    return this.#root;
  }
  /** After state was cleared or loaded, running functions may no longer exist. */
  forgetAll(): void {
    this.#known.clear();
    this.#splits.clear();
    for (const slug of [...this.#current.keys()]) void this.forgetFunction(slug);
  }
  async stop(): Promise<void> {
    this.#stopping.abort();
    const pools = await Promise.allSettled(this.#pools.values());
    for (const pool of pools) if (pool.status === "fulfilled") pool.value.close("The server stops.");
    await this.logs.close();
    if (this.#root) await removeFolder(await this.#root);
  }
}

const numberOf = (slug: string): number =>
  Number.parseInt(createHash("sha256").update(slug).digest("hex").slice(0, 8), 16);
