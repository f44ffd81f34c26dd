/** The server's end of the connection to a function's process: many requests side by side on it. */
import type { Socket } from "node:net";
import { creditOf, FRAME, FrameReader, FrameWriter, WINDOW_BYTES } from "./runner/frames.ts";

/** Who waits for the answer to one request. */
export type Answering = {
  /** Bytes of HTTP, without chunks. */
  take(bytes: Buffer): void;
  /** No more data for now: buffered data is sent. */
  rest(): void;
  end(): void;
  /** The answer will never be whole. */
  stop(): void;
  /** There is room for more of the request's body. */
  mayGoOn(): void;
};
/** One request that was asked. */
export type Asked = {
  /** A part of its body; false where the next should wait for `mayGoOn`. */
  send(bytes: Buffer): boolean;
  end(): void;
  /** This number of bytes of the answer has been forwarded. */
  taken(bytes: number): void;
  /** The answer is no longer needed. */
  stop(): void;
};

const NUMBERS = 2 ** 32;
/** Credit is returned only in steps of at least this size. */
const CREDIT_BYTES_MIN = WINDOW_BYTES / 4;
const READY_BYTES_MAX = 32 * 1024;
/** A process that grants room for more and does not read gets no more than this. */
const UNREAD_BYTES_MAX = 1024 * 1024;

class Question implements Asked {
  readonly id: number;
  readonly answering: Answering;
  readonly #link: Link;
  #room = WINDOW_BYTES;
  #unanswered = WINDOW_BYTES;
  #taken = 0;

  constructor(id: number, link: Link, answering: Answering) {
    this.id = id;
    this.#link = link;
    this.answering = answering;
  }
  send(bytes: Buffer): boolean {
    this.#link.write(FRAME.data, this.id, bytes);
    this.#room -= bytes.length;
    return this.#room > 0 && !this.#link.isFull;
  }
  end(): void {
    this.#link.write(FRAME.end, this.id);
  }
  credit(bytes: number): void {
    this.#room += bytes;
    if (this.#room > 0 && !this.#link.isFull) this.answering.mayGoOn();
  }
  /** Returns false if the process has sent more than its credit. */
  note(bytes: number): boolean {
    this.#unanswered -= bytes;
    return this.#unanswered >= 0;
  }
  taken(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < CREDIT_BYTES_MIN) return;
    this.#link.write(FRAME.credit, this.id, creditOf(this.#taken));
    this.#unanswered += this.#taken;
    this.#taken = 0;
  }
  stop(): void {
    if (this.#link.forget(this)) this.#link.write(FRAME.stop, this.id);
  }
}

export class Link {
  readonly #socket: Socket;
  readonly #writer: FrameWriter;
  readonly #open = new Map<number, Question>();
  readonly #checks = new Map<number, () => void>();
  readonly #broken: () => void;
  #touched: Question[] = [];
  #number = 0;
  #tellReady: (said: string) => void = () => {};
  /** Resolves with the start message of the process. */
  readonly whenReady = new Promise<string>((resolve) => {
    this.#tellReady = resolve;
  });

  /** `broken`: called if the data violates the protocol. The link is then unusable. */
  constructor(socket: Socket, broken: () => void) {
    this.#socket = socket;
    this.#broken = broken;
    this.#writer = new FrameWriter(socket);
    const reader = new FrameReader((kind, id, content) => this.#take(kind, id, content));
    socket.on("data", (part: Buffer) => {
      if (!reader.read(part)) this.#break();
      for (const { answering } of this.#touched.splice(0)) answering.rest();
    });
    socket.on("drain", () => {
      for (const question of this.#open.values()) question.credit(0);
    });
    // The process reports the reason elsewhere. Waiting requests are rejected on close.
    socket.on("error", () => {});
    socket.on("close", () => this.#stopAll());
  }
  ask(head: string, hasBody: boolean, answering: Answering): Asked {
    this.#number = (this.#number + 1) % NUMBERS;
    const question = new Question(this.#number, this, answering);
    this.#open.set(question.id, question);
    this.#writer.add(hasBody ? FRAME.requestWithBody : FRAME.request, question.id, head);
    return question;
  }
  /** Settled when the other side answers; it may never. */
  check(): Promise<void> {
    this.#number = (this.#number + 1) % NUMBERS;
    const id = this.#number;
    return new Promise((resolve) => {
      this.#checks.set(id, resolve);
      this.#writer.add(FRAME.check, id);
    });
  }
  write(kind: number, id: number, content: Buffer | string = ""): void {
    this.#writer.add(kind, id, content);
  }
  get isFull(): boolean {
    return this.#socket.writableLength > UNREAD_BYTES_MAX;
  }
  /** False where its answer is whole already. */
  forget({ id }: Question): boolean {
    return this.#open.delete(id);
  }
  close(): void {
    this.#socket.destroy();
    this.#stopAll();
  }
  #stopAll(): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { answering } of open) answering.stop();
  }
  #break(): void {
    this.#broken();
    this.close();
  }
  #take(kind: number, id: number, content: Buffer): void {
    if (kind === FRAME.ready) this.#tellReady(content.toString("utf8", 0, READY_BYTES_MAX));
    else if (kind === FRAME.check) {
      this.#checks.get(id)?.();
      this.#checks.delete(id);
    } else this.#takeOf(kind, this.#open.get(id), content);
  }
  /** Frames of a cancelled request may still arrive; they are dropped. */
  #takeOf(kind: number, question: Question | undefined, content: Buffer): void {
    if (!question) return;
    if (kind === FRAME.data) {
      if (question.note(content.length)) {
        question.answering.take(content);
        this.#touched.push(question);
      } else this.#break();
    } else if (kind === FRAME.end || kind === FRAME.stop) {
      this.#open.delete(question.id);
      if (kind === FRAME.end) question.answering.end();
      else question.answering.stop();
    } else if (kind === FRAME.credit && content.length === 4) question.credit(content.readUInt32LE());
  }
}
