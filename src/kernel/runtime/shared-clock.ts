/** The clock as it is kept: for the next start, and for all nodes on one database. Says who is moving it, and how far that has come. */
import type { Clock, ClockState } from "../clock/clock.ts";
import type { AnyDb, Database } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import { Nodes } from "./nodes.ts";
import { SharedSetting } from "./shared-setting.ts";

type Kept = {
  readonly state: ClockState;
  /** Until then a node that is moving time is believed to be alive; others begin no work. On machine time. */
  readonly travellingUntilMs: number;
  /** Absent while nobody moves it. */
  readonly journey?: { readonly node: string; readonly wasFrozen: boolean };
};
/** Of a journey under way. */
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
  /** What this node's own journey has saved last. */
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
  /** At the start. An embedded database has no other node: whoever was on a journey is dead. */
  async load(): Promise<void> {
    await this.#setting.refresh();
    if (this.#database.kind === "sqlite") await this.#endAbandoned(() => true);
  }
  /** False while another node moves time. The others are told that this one has taken notice. */
  async refresh(): Promise<boolean> {
    await this.#setting.refresh();
    await this.#endAbandoned(({ travellingUntilMs }) => travellingUntilMs < this.#clock.machineNowMs());
    await this.#nodes.announce(this.#setting.version);
    return (this.#kept?.travellingUntilMs ?? 0) < this.#clock.machineNowMs();
  }
  leave(): Promise<void> {
    return this.#nodes.leave();
  }
  /** The clock as it is here; refused while another node moves it. */
  async save(): Promise<void> {
    await this.#setting.change((kept) => {
      this.#refuseOthers(kept);
      return { state: this.#clock.state, ...ENDED };
    });
    this.#kept = undefined;
  }

  /** From here on the others begin no work; refused while another node moves time. The clock stands still. */
  async beginJourney(): Promise<void> {
    await this.#setting.change((kept) => {
      this.#refuseOthers(kept);
      // Another node may have moved it since this one last looked.
      if (kept && !kept.journey) this.#clock.restore(kept.state);
      const wasFrozen = this.#clock.state.frozenAtMs !== undefined;
      this.#clock.freeze();
      this.#saved = { ...this.#travelling(), journey: { node: this.#node, wasFrozen } };
      return this.#saved;
    });
  }
  /**
   * With the claim of what is to run there: after a crash the clock is not behind what has run. `noteSaved` is told what
   * this answers, once it is committed.
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
  /** `at`: where the journey has come to. The clock runs on from there, or stands still there as it did before. */
  async endJourney(atMs: number): Promise<void> {
    const wasFrozen = this.#saved?.journey?.wasFrozen ?? false;
    this.#saved = undefined;
    await this.#setting.change((kept) => {
      if (kept?.journey && kept.journey.node !== this.#node) return kept;
      this.#settle(atMs, wasFrozen);
      return { state: this.#clock.state, ...ENDED };
    });
  }
  /** Whether all nodes have seen what this one has saved last; the names of those that have not. */
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
  /** Whoever set out is dead: time goes on from where it had come to. Of several nodes that notice, one does it. */
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
