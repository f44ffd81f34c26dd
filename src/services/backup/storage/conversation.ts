/** How a thread at work and the main thread talk: the thread asks, the main thread answers, several questions at a time. */
import type { MessagePort, TransferListItem } from "node:worker_threads";

type Question = { readonly id: number; readonly name: string; readonly content: unknown };
type Reply = { readonly id: number; readonly content?: unknown; readonly error?: unknown };
type Waiting = { resolve(content: unknown): void; reject(error: unknown): void };

/** Buffers that can be transferred instead of copied: those that own their whole memory. */
export const movable = (all: Iterable<Uint8Array | undefined>): ArrayBuffer[] => {
  const moved = new Set<ArrayBuffer>();
  for (const bytes of all)
    if (bytes?.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength)
      moved.add(bytes.buffer);
  return [...moved];
};
/** A channel without a receiver. */
const nowhere = new MessageChannel();
nowhere.port2.close();
/** Smaller buffers usually share their memory, and freeing them is not worth a message. */
const LET_GO_BYTES_MIN = 64 * 1024;
/**
 * Frees the memory of buffers immediately. The garbage collector would otherwise keep up to 64 MB of them in each
 * thread, because they are few objects with many bytes. A buffer that is transferred to a closed port is freed.
 */
export function letGo(all: Iterable<Uint8Array | undefined>): void {
  const dead = new Set<ArrayBuffer>();
  for (const bytes of all)
    if (bytes?.buffer instanceof ArrayBuffer && bytes.buffer.byteLength >= LET_GO_BYTES_MIN)
      dead.add(bytes.buffer);
  if (dead.size > 0) nowhere.port1.postMessage(undefined, [...dead]);
}
const movableIn = (content: unknown): ArrayBuffer[] =>
  Array.isArray(content)
    ? movable(content.filter((one): one is Uint8Array => one instanceof Uint8Array))
    : [];

/** Requests that a task can send to the main thread. */
export type Questions = {
  ask<T>(name: string, content: unknown, moved?: readonly TransferListItem[]): Promise<T>;
};

/** The thread's side. */
export class Asking implements Questions {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", ({ id, content, error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(content);
      else waiting?.reject(error);
    });
    // The main thread has closed the port, so no reply will come.
    port.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the conversation has ended"));
      this.#waiting.clear();
    });
  }
  ask<T>(name: string, content: unknown, moved: readonly TransferListItem[] = []): Promise<T> {
    this.#last += 1;
    const id = this.#last;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (content: unknown) => void, reject });
      this.#port.postMessage({ id, name, content } satisfies Question, moved);
    });
  }
  end(): void {
    this.#port.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each question has content of its own.
export type Answers = Readonly<Record<string, (content: any) => Promise<unknown>>>;

/**
 * The main thread's side. It keeps the original error of a failed reply, because the thread only gets a copy
 * of its text.
 */
export class Answering implements Questions {
  readonly #answers: Answers;
  #failure: unknown;
  constructor(answers: Answers) {
    this.#answers = answers;
  }
  /** Answers a thread. */
  listen(port: MessagePort): void {
    port.on("message", async ({ id, name, content }: Question) => {
      const reply = await this.ask(name, content).then(
        (answered): Reply => ({ id, content: answered }),
        (error): Reply => ({ id, error: new Error(String(error)) }),
      );
      port.postMessage(reply, movableIn(reply.content));
    });
  }
  async ask<T>(name: string, content: unknown): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const answer = this.#answers[name];
      if (!answer) throw new Error(`nobody answers ${name}`);
      return (await answer(content)) as T;
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
  get failure(): unknown {
    return this.#failure;
  }
}
