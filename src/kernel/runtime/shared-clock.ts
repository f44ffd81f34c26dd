/**
 * The stored clock, for the next start and for all nodes of one database. It says which node is moving it, and how
 * far.
 */
import type { Clock, ClockState } from "../clock/clock.ts";
import type { AnyDb, Database } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import { Nodes } from "./nodes.ts";
import { SharedSetting } from "./shared-setting.ts";

type Kept = {
  readonly state: ClockState;
  /** Until then the node that moves the clock counts as alive, and others begin no jobs. On machine time. */
  readonly travellingUntilMs: number;
  /** Absent while nobody moves it. */
  readonly journey?: { readonly node: string; readonly wasFrozen: boolean };
};
/** The position of an advance. */
export type Position = Kept;
type Options = {
  readonly clock: Clock;
  readonly database: Database;
  readonly node: string;
  readonly leaseMs: number;
};

const ENDED: Pick<Kept, "travellingUntilMs"> = { travellingUntilMs: 0 };

export class SharedClock {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #node: string;
  readonly #leaseMs: number;
  readonly #setting: SharedSetting<Kept>;
  readonly #nodes: Nodes;
  #kept: Kept | undefined;
  /** What the advance of this node has saved last. */
  #saved: Kept | undefined;

  constructor({ clock, database, node, leaseMs }: Options) {
    this.#clock = clock;
    this.#database = database;
    this.#node = node;
    this.#leaseMs = leaseMs;
    this.#nodes = new Nodes(database, node, leaseMs);
    this.#setting = new SharedSetting<Kept>(database, "clock", (kept) => {
      this.#kept = kept;
      clock.restore(kept.state);
    });
  }
  /** At start. An embedded database has no other node, so an unfinished advance belongs to a dead process. */
  async load(): Promise<void> {
    await this.#setting.refresh();
    if (this.#database.kind === "sqlite") await this.#endAbandoned(() => true);
  }
  /** False while another node moves the clock. Tells the others that this node has seen the change. */
  async refresh(): Promise<boolean> {
    await this.#setting.refresh();
    await this.#endAbandoned(({ travellingUntilMs }) => travellingUntilMs < this.#clock.machineNowMs());
    await this.#nodes.announce(this.#setting.version);
    return (this.#kept?.travellingUntilMs ?? 0) < this.#clock.machineNowMs();
  }
  leave(): Promise<void> {
    return this.#nodes.leave();
  }
  /** Saves the clock of this node. Refused while another node moves it. */
  async save(): Promise<void> {
    await this.#setting.change((kept) => {
      this.#refuseOthers(kept);
      return { state: this.#clock.state, ...ENDED };
    });
    this.#kept = undefined;
  }

  /** From here on the others begin no jobs, and the clock stands still. Refused while another node moves it. */
  async beginJourney(): Promise<void> {
    await this.#setting.change((kept) => {
      this.#refuseOthers(kept);
      // Another node may have moved it since the last poll.
      if (kept && !kept.journey) this.#clock.restore(kept.state);
      const wasFrozen = this.#clock.state.frozenAtMs !== undefined;
      this.#clock.freeze();
      this.#saved = { ...this.#travelling(), journey: { node: this.#node, wasFrozen } };
      return this.#saved;
    });
  }
  /**
   * Commits together with the claim of the next job, so that after a crash the clock is not behind what has run.
   * Call `noteSaved` with the result after the commit.
   */
  async savePosition(db: AnyDb): Promise<Position | undefined> {
    const saved = this.#saved;
    if (!saved?.journey) throw new Error("nobody is moving time");
    const isFresh = saved.travellingUntilMs - this.#clock.machineNowMs() > this.#leaseMs / 2;
    if (isFresh && saved.state.frozenAtMs === this.#clock.state.frozenAtMs) return undefined;
    let position: Position | undefined;
    await this.#setting.changeIn(db, (kept) => {
      if (kept?.journey?.node !== this.#node)
        throw kernelErrors.conflict("This node fell silent, and another one has ended its journey in time.");
      position = { ...this.#travelling(), journey: kept.journey };
      return position;
    });
    return position;
  }
  noteSaved(position: Position | undefined): void {
    if (position && this.#saved) this.#saved = position;
  }
  async keepJourney(): Promise<void> {
    this.noteSaved(await this.#database.transact((db) => this.savePosition(db)));
  }
  /** `atMs`: where the advance ended. The clock runs on from there, or stays frozen there as before. */
  async endJourney(atMs: number): Promise<void> {
    const wasFrozen = this.#saved?.journey?.wasFrozen ?? false;
    this.#saved = undefined;
    await this.#setting.change((kept) => {
      if (kept?.journey && kept.journey.node !== this.#node) return kept;
      this.#settle(atMs, wasFrozen);
      return { state: this.#clock.state, ...ENDED };
    });
  }
  /** The names of the nodes that have not yet seen what this node saved last. */
  async findBehind(): Promise<readonly string[]> {
    return this.#database.kind === "sqlite" ? [] : this.#nodes.findBehind(this.#setting.version);
  }

  #travelling(): Omit<Kept, "journey"> {
    return {
      state: this.#clock.state,
      travellingUntilMs: this.#clock.machineNowMs() + this.#leaseMs,
    };
  }
  #settle(atMs: number, wasFrozen: boolean): void {
    if (wasFrozen) this.#clock.standAt(atMs);
    else this.#clock.runFrom(atMs);
  }
  #refuseOthers(kept: Kept | undefined): void {
    const isAlive = (kept?.travellingUntilMs ?? 0) >= this.#clock.machineNowMs();
    if (kept?.journey && kept.journey.node !== this.#node && isAlive)
      throw kernelErrors.conflict("Another node is moving time: try again when it has arrived.");
  }
  /**
   * The node that moved the clock is dead. The clock continues from its position. Only one of several nodes does
   * this.
   */
  async #endAbandoned(isOver: (kept: Kept) => boolean): Promise<void> {
    if (!this.#kept?.journey || !isOver(this.#kept)) return;
    await this.#setting.change((kept) => {
      if (!kept?.journey || !isOver(kept)) return kept ?? { state: this.#clock.state, ...ENDED };
      this.#settle(kept.state.frozenAtMs ?? this.#clock.nowMs(), kept.journey.wasFrozen);
      return { state: this.#clock.state, ...ENDED };
    });
    this.#kept = undefined;
  }
}
