/** The system's liblouis in a child process. The process starts on demand and is replaced after a crash. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { workerFile } from "#kernel/workers";
import type { Line } from "../domain/cells.ts";
import { type Engine, EngineError } from "./engine.ts";
import type { SystemAnswer, SystemQuestion } from "./system-process.ts";
import { findSystemTable, findSystemTablesFolder } from "./system-tables.ts";

export class SystemEngine implements Engine {
  readonly #tablesFolder: string;
  #child: ChildProcess | undefined;
  /** Serializes requests, because responses have no IDs. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(tablesFolder: string) {
    this.#tablesFolder = tablesFolder;
  }

  async version(): Promise<string> {
    const [version] = await this.#ask({ ask: "version" });
    return String(version);
  }
  async translate(tableFile: string, texts: readonly string[]): Promise<readonly Line[]> {
    const outputs = await this.#ask({ ask: "translate", tableFile: this.#nameOf(tableFile), inputs: texts });
    return outputs as readonly Line[];
  }
  async translateBack(tableFile: string, lines: readonly Line[]): Promise<readonly string[]> {
    const outputs = await this.#ask({
      ask: "translateBack",
      tableFile: this.#nameOf(tableFile),
      inputs: lines,
    });
    return outputs as readonly string[];
  }
  async findUnknown(tableFile: string, characters: readonly string[]): Promise<ReadonlySet<string>> {
    const outputs = await this.#ask({
      ask: "findUnknown",
      tableFile: this.#nameOf(tableFile),
      inputs: characters,
    });
    return new Set(outputs as readonly string[]);
  }
  /**
   * Resolves when the process is reaped. Only the thread that started it can reap it, and a busy or ended
   * thread cannot.
   */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  #nameOf(tableFile: string): string {
    const name = findSystemTable(this.#tablesFolder, tableFile);
    if (name === undefined) throw new EngineError(`the system has no table ${tableFile}`);
    return name;
  }

  #ask(question: SystemQuestion): Promise<readonly unknown[]> {
    const answered = this.#last.then(() => this.#askNow(question));
    this.#last = answered.catch(() => {});
    return answered;
  }
  async #askNow(question: SystemQuestion): Promise<readonly unknown[]> {
    const answer = await this.#answerOf(question, this.#child);
    if ("problem" in answer) throw new EngineError(answer.problem);
    return answer.outputs;
  }
  /** An idle process may have ended unnoticed. A new one then handles the request. */
  async #answerOf(question: SystemQuestion, idle: ChildProcess | undefined): Promise<SystemAnswer> {
    const child = idle ?? this.#start();
    this.#child = child;
    try {
      return await answerOf(child, question);
    } catch (error) {
      await this.close();
      if (idle) return this.#answerOf(question, undefined);
      throw error;
    }
  }
  /** The child process gets no environment variables, so that it sees no settings or secrets. */
  #start(): ChildProcess {
    const child = fork(workerFile(import.meta.url, "services/braille/translator/system-process.js"), [], {
      serialization: "advanced",
      env: { LOUIS_TABLEPATH: this.#tablesFolder },
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    rest(child);
    return child;
  }
}

/** An idle engine does not keep the process alive. A pending request does. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function answerOf(child: ChildProcess, question: SystemQuestion): Promise<SystemAnswer> {
  return new Promise<SystemAnswer>((resolve, reject) => {
    const broken = (code: number | null, signal: string | null) =>
      reject(new EngineError(`the system's engine broke down (${signal ?? `exit code ${code}`})`));
    const failed = (error: Error) => reject(new EngineError(error.message));
    child.ref();
    child.channel?.ref();
    child.once("message", (answer) => {
      child.removeAllListeners();
      rest(child);
      resolve(answer as SystemAnswer);
    });
    child.once("exit", broken);
    child.once("error", failed);
    child.send(question, (error) => error && failed(error));
  });
}

/** Starts the library in a child process to query its version. */
export async function findSystemVersion(): Promise<
  { version: string; tablesFolder: string } | { problem: string }
> {
  const tablesFolder = findSystemTablesFolder();
  if (tablesFolder === undefined) return { problem: "the system has none (Debian: liblouis20)" };
  const engine = new SystemEngine(tablesFolder);
  try {
    return { version: await engine.version(), tablesFolder };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { problem: "the system's could not be loaded" };
  } finally {
    await engine.close();
  }
}
