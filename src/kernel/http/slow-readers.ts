/**
 * Callers who do not read their answers. Unread bytes are in the memory of this process. So a connection without
 * progress is closed after a while. If all unread bytes exceed a limit, the longest stalled connections go first.
 */
import type { Socket } from "node:net";

export type SlowReaderLimits = { readonly timeoutMs: number; readonly bytesMax: number };
type Watched = { owed: number; sent: number; queued: number; progressedAtMs: number };

/** Bytes of the current write that the system has not taken yet. Undocumented, but Node's own timeout uses it. */
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
  /** Bytes that wait for their readers, at the last check. */
  get owed(): number {
    return this.#owed;
  }
  /** Watches until everything was read. Call it after each write. */
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
