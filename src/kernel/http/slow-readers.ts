/**
 * Callers who do not read their answers. What they have not taken lies in this process's memory, so a connection that
 * takes nothing for a while is closed, and when all of them together owe too much, those that have stood still longest.
 */
import type { Socket } from "node:net";

export type SlowReaderLimits = { readonly timeoutMs: number; readonly bytesMax: number };
type Watched = { owed: number; sent: number; queued: number; progressedAtMs: number };

/** What the system has not taken yet of the piece that it was given. Not documented, but what Node's own time-out goes by. */
const queuedOf = (socket: Socket): number =>
  (socket as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;

export class SlowReaders {
  readonly #limits: SlowReaderLimits;
  readonly #nowMs: () => number;
  readonly #watched = new Map<Socket, Watched>();
  #owed = 0;

  constructor(limits: SlowReaderLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }
  /** Bytes that wait for their readers, as last seen. */
  get owed(): number {
    return this.#owed;
  }
  /** Until everything has been taken; to be called whenever more is written. */
  watch(socket: Socket): void {
    const known = this.#watched.get(socket);
    const owed = socket.writableLength;
    this.#owed += owed - (known?.owed ?? 0);
    if (known) known.owed = owed;
    else this.#watched.set(socket, { owed, sent: -1, queued: 0, progressedAtMs: this.#nowMs() });
    if (this.#owed > this.#limits.bytesMax) this.#makeRoom();
  }
  sweep(): void {
    const nowMs = this.#nowMs();
    this.#owed = 0;
    for (const [socket, watched] of this.#watched) {
      const owed = socket.writableLength;
      if (socket.destroyed || owed === 0) {
        this.#watched.delete(socket);
        continue;
      }
      const sent = socket.bytesWritten - owed;
      const queued = queuedOf(socket);
      if (sent > watched.sent || queued < watched.queued) watched.progressedAtMs = nowMs;
      Object.assign(watched, { owed, sent, queued });
      if (nowMs - watched.progressedAtMs > this.#limits.timeoutMs) this.#close(socket);
      else this.#owed += owed;
    }
  }
  #makeRoom(): void {
    this.sweep();
    const stalest = [...this.#watched].sort(
      ([, one], [, other]) => one.progressedAtMs - other.progressedAtMs,
    );
    for (const [socket, { owed }] of stalest) {
      if (this.#owed <= this.#limits.bytesMax) return;
      this.#owed -= owed;
      this.#close(socket);
    }
  }
  #close(socket: Socket): void {
    this.#watched.delete(socket);
    socket.destroy();
  }
}
