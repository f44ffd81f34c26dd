/** One process of a function: started, asked, watched and ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Definition } from "../domain/index.ts";
import { cpusOf, memoryBytesOf } from "../domain/index.ts";
import { HeadReader } from "./answer-head.ts";
import { ENTRIES_MAX, FOLDER_BYTES_MAX, measureFolder } from "./folder-limit.ts";
import { endProcessesOf } from "./leftovers.ts";
import { LineReader, type WrittenLine } from "./lines.ts";
import { Link } from "./link.ts";
import { anonymousBytesOf, heldBy, isMemory } from "./memory-use.ts";
import { type ProcessorShare, processorShareOf, type Rationing } from "./processor-share.ts";
import { settingsOfLanguages } from "./programs.ts";
import { removeFolder } from "./removal.ts";
import { type Command, commandOf, heapBytesOf, type Level, SYSTEM_PATH } from "./sandbox.ts";

/** The file number of the connection, on both sides. */
const LINK = 3;
const START_MS = 30_000;
const CHECK_MS = 3000;
/** Code that is loaded, stacks and the like are not counted as the function's. */
const BASE_BYTES = 96 * 1024 ** 2;
/** V8's message when it ends a process. */
const HEAP_IS_FULL = "JavaScript heap out of memory";
/** Checking every open file is slow, so it is done only at every fourth check. */
const FILES_EVERY = 4;

export type Prepared = {
  /** Read-only: the runner, and the uploaded source in `code`. */
  readonly folder: string;
  readonly language: "nodejs" | "python" | "command";
  readonly python: { readonly program: string; readonly prefix: string } | undefined;
  readonly definition: Definition;
  readonly functionId: string;
  readonly revision: string;
  /** Values of secrets by variable. */
  readonly secretVariables: Readonly<Record<string, string>>;
  /** Folders of secrets, and where the function finds them. */
  readonly secretFolders: readonly { readonly from: string; readonly to: string }[];
};
export type Surroundings = {
  readonly level: Level;
  /** Of the server: its database and credentials. */
  readonly dataFolder: string;
  readonly hasNetwork: boolean;
  readonly userId: number | undefined;
  readonly rationing: Rationing;
};
export type InstanceEvents = {
  wrote(line: WrittenLine): void;
  ended(instance: Instance): void;
};

/** The function's own code kept it from coming up. */
export class CannotStart extends Error {}

export class Instance {
  readonly id: string;
  readonly ownFolder: string;
  readonly #prepared: Prepared;
  readonly #surroundings: Surroundings;
  readonly #events: InstanceEvents;
  readonly memoryBytes: number;
  #child: ChildProcess | undefined;
  #share: ProcessorShare | undefined;
  #link: Link | undefined;
  /** Parses the heads of its answers. */
  readonly heads = new HeadReader();
  #ready = false;
  #ended = false;
  #measuring = false;
  #looks = 0;
  #folderBytes = 0;
  #deletedBytes = 0;
  #isFolderMemory = false;
  #tellEnded = () => {};
  /** Settled when its process is gone. */
  readonly whenEnded = new Promise<void>((resolve) => {
    this.#tellEnded = resolve;
  });
  #reason: string | undefined;
  /** Requests that it is working on. */
  busy = 0;
  lastUsedMs = 0;
  readonly startedAtMs = performance.now();

  constructor(id: string, prepared: Prepared, surroundings: Surroundings, events: InstanceEvents) {
    this.id = id;
    this.ownFolder = join(prepared.folder, `i-${id}`);
    this.#prepared = prepared;
    this.#surroundings = surroundings;
    this.#events = events;
    this.memoryBytes = memoryBytesOf(prepared.definition.serviceConfig.availableMemory ?? "256M");
  }
  get isAlive(): boolean {
    return this.#ready && !this.#ended;
  }
  /** The reason why the server ended it; undefined if it ended by itself. */
  get reason(): string | undefined {
    return this.#reason;
  }
  get link(): Link {
    if (!this.#link) throw new Error("an instance was asked before it was started");
    return this.#link;
  }

  async start(): Promise<void> {
    const { userId } = this.#surroundings;
    await mkdir(this.ownFolder, { mode: 0o700 });
    if (userId !== undefined) await chown(this.ownFolder, userId, userId);
    this.#isFolderMemory = isMemory(this.ownFolder);
    const { availableCpu = "1" } = this.#prepared.definition.serviceConfig;
    this.#share = processorShareOf(this.#surroundings.rationing, {
      cpus: cpusOf(availableCpu),
      memoryBytes: this.memoryBytes + BASE_BYTES,
    });
    const { file, args } = this.#command();
    const [first = file, ...rest] = this.#share.wrap([file, ...args]);
    const child = spawn(first, rest, {
      cwd: this.#prepared.folder,
      env: this.#environment(),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    this.#link = new Link(child.stdio[LINK] as Socket, () => this.kill("It said what nobody understands."));
    this.#listen(child);
    if (child.pid !== undefined) this.#share.watch(child.pid);
    this.#instruct(child);
    await this.#comeUp(child, this.#link);
    this.#ready = true;
  }
  #command(): Command {
    const { folder, language, python } = this.#prepared;
    const isNode = language !== "python";
    return commandOf(this.#surroundings.level, {
      program: isNode ? process.execPath : (python?.program ?? "python3"),
      args: isNode ? [join(folder, "runner", "node.js")] : ["-u", join(folder, "python", "runner.py")],
      isNode,
      folder,
      ownFolder: this.ownFolder,
      readable: python ? [python.prefix] : language === "command" ? settingsOfLanguages() : [],
      mounted: this.#prepared.secretFolders,
      hidden: [this.#surroundings.dataFolder],
      memoryBytes: this.memoryBytes,
      hasNetwork: this.#surroundings.hasNetwork,
      userId: this.#surroundings.userId,
    });
  }
  /**
   * The environment of the wrappers, which may have more rights than the function. It contains no variable
   * of the owner.
   */
  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: SYSTEM_PATH,
      LANG: "C.UTF-8",
      HOME: this.ownFolder,
      TMPDIR: this.ownFolder,
      ...(this.#prepared.language === "python" && { PYTHONDONTWRITEBYTECODE: "1" }),
    };
  }
  /** The function's variables: the owner's, and those of the public runtime. None of the server's. */
  #variables(): Readonly<Record<string, string>> {
    const { definition, functionId, revision, secretVariables, language } = this.#prepared;
    const { buildConfig, serviceConfig, eventTrigger, environment } = definition;
    const takesEvents = environment === "GEN_1" ? "event" : "cloudevent";
    return {
      ...(language === "nodejs" && { NODE_ENV: "production" }),
      ...serviceConfig.environmentVariables,
      ...secretVariables,
      HOME: this.ownFolder,
      TMPDIR: this.ownFolder,
      FUNCTION_TARGET: buildConfig.entryPoint ?? "",
      FUNCTION_SIGNATURE_TYPE: eventTrigger ? takesEvents : "http",
      K_SERVICE: functionId,
      K_REVISION: revision,
      K_CONFIGURATION: functionId,
    };
  }
  /**
   * Sends the runner its start data. Variables are sent this way, because a process environment can be read
   * by others and changes how programs start.
   */
  #instruct(child: ChildProcess): void {
    const { folder, language } = this.#prepared;
    const instructions = {
      variables: this.#variables(),
      code: join(folder, "code"),
      isCommand: language === "command",
    };
    const pipe = child.stdin as Writable;
    // A process that ends before it has read them reports the reason elsewhere.
    pipe.on("error", () => {});
    pipe.end(JSON.stringify(instructions));
  }
  #listen(child: ChildProcess): void {
    new LineReader("INFO", (line) => this.#events.wrote(line)).read(child.stdout as Readable);
    new LineReader("ERROR", (line) => {
      if (line.text.includes(HEAP_IS_FULL)) this.#reason ??= this.shortOfMemory;
      this.#events.wrote(line);
    }).read(child.stderr as Readable);
    child.once("error", (error) => this.#end(`It could not be started: ${error.message}.`));
    child.once("exit", (status, signal) => {
      if (this.#share?.wasShortOfMemory()) this.#reason ??= this.shortOfMemory;
      const by = signal ?? signalOf(status);
      this.#end(this.#reason ?? (by ? `It was ended by ${by}.` : `It ended with status ${status}.`));
    });
  }
  async #comeUp(child: ChildProcess, link: Link): Promise<void> {
    const said = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.kill("It did not come up in time.");
        reject(new CannotStart(`The function did not come up within ${START_MS / 1000} seconds.`));
      }, START_MS);
      void link.whenReady.then(resolve);
      child.once("exit", () =>
        reject(
          new CannotStart(
            `The function's process ended while it was coming up. ${this.#reason ?? ""}`.trim(),
          ),
        ),
      );
      for (const event of ["exit", "error"]) child.once(event, () => clearTimeout(timer));
      void link.whenReady.then(() => clearTimeout(timer));
    });
    const message = parsed(said);
    if (message.ready === true) return;
    this.kill("It could not be loaded.");
    throw new CannotStart(
      typeof message.missing === "string"
        ? `The source wants the package ${message.missing.slice(0, 200)}, which it does not bring: put node_modules into the archive, or name it in package.json and start the server with --functions-install.`
        : `The source could not be loaded: ${String(message.problem ?? "no reason was given")}`,
    );
  }

  /** Whether it still answers. A process that does not is replaced. */
  async isResponsive(): Promise<boolean> {
    if (this.#ended) return false;
    const waited = new AbortController();
    const answered = this.link.check().then(() => true);
    const late = sleep(CHECK_MS, false, { signal: waited.signal }).catch(() => false);
    const isThere = await Promise.race([answered, late]);
    waited.abort();
    return isThere;
  }
  /** More than its memory: it goes, with a word about it. */
  watchMemory(): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined || this.#ended) return;
    this.#looks += 1;
    const held = heldBy(pid, this.#looks % FILES_EVERY === 0);
    if (this.#looks % FILES_EVERY === 0) this.#deletedBytes = held.deletedBytes;
    const inFolder = this.#isFolderMemory ? this.#folderBytes : 0;
    if (held.memoryBytes + inFolder > this.memoryBytes + BASE_BYTES) this.kill(this.shortOfMemory);
  }
  isHeapFull(): boolean {
    const { pid } = this.#child ?? {};
    return pid !== undefined && !this.#ended && anonymousBytesOf(pid) > heapBytesOf(this.memoryBytes);
  }
  get shortOfMemory(): string {
    return `Memory limit of ${Math.round(this.memoryBytes / 1e6)} MB exceeded.`;
  }
  /** More files than it may have: likewise. */
  async watchFolder(): Promise<void> {
    if (this.#measuring || this.#ended) return;
    this.#measuring = true;
    const { bytes, isOverfull } = await measureFolder(this.ownFolder, this.#deletedBytes);
    this.#folderBytes = bytes;
    this.#measuring = false;
    if (!isOverfull || this.#ended) return;
    const text = `Temporary files exceeded their limit of ${FOLDER_BYTES_MAX / 1024 ** 2} MB or ${ENTRIES_MAX} files.`;
    this.#events.wrote({ severity: "ERROR", text });
    this.kill(text);
  }
  kill(reason: string): void {
    this.#reason ??= reason;
    const { pid } = this.#child ?? {};
    if (pid === undefined || this.#child?.exitCode !== null) return;
    try {
      // The whole group: wrappers and whatever it has started.
      process.kill(-pid, "SIGKILL");
    } catch {
      this.#child?.kill("SIGKILL");
    }
  }
  /** Elsewhere children end with their namespace. Node's permission model lets none begin. */
  async #clearUp(): Promise<void> {
    const { level } = this.#surroundings;
    if (level === "permissions" && this.#prepared.language === "python") await endProcessesOf(this.ownFolder);
    await removeFolder(this.ownFolder);
  }
  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason ??= reason;
    this.#link?.close();
    void this.#share?.release();
    void this.#clearUp();
    this.#tellEnded();
    this.#events.ended(this);
  }
}

/** Wrappers exit with 128 plus the number of the signal that ended the wrapped process. */
const signalOf = (status: number | null): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => number + 128 === status)?.[0];

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
