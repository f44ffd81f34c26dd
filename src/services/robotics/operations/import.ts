/** Bulk import: one JSON line per event, team list and so on, with several lines per transaction. */
import { Type } from "@sinclair/typebox";
import { isUniqueViolation } from "#kernel/db";
import {
  type Context,
  operationsFor,
  type Reached,
  type StreamedBody,
  streamedBody,
} from "#kernel/operation";
import { Pauses } from "#kernel/workers";
import { LABELS_FROM } from "../domain/archive.ts";
import type { EventDocument } from "../domain/entries.ts";
import { canBeEntered, yearsAt } from "../domain/seasons.ts";
import { errors, inputError } from "../errors.ts";
import type { State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { type Line, lineIn, linesOf, type TextLine } from "./import-lines.ts";

const operation = operationsFor<Tables, State>();
type EventLine = Extract<Line, { kind: "event" }>;

const BODY_BYTES_MAX = 256 * 1024 * 1024;
const SECONDS_MAX = 600;
/** Batch size of a transaction. Small batches let other writers in between. */
const LINES_TOGETHER = 20;
const REFUSALS_TOLD_MAX = 1000;

/** `part` and `index` identify a dropped entry. Without them, the whole line was rejected. */
type Refusal = {
  readonly line: number;
  readonly says: string;
  readonly part?: string;
  readonly index?: number;
};
type Numbered = { readonly number: number; readonly line: Line };

async function* textLinesOf(body: StreamedBody, reach: (reached: Reached) => void): AsyncGenerator<TextLine> {
  let done = 0;
  async function* chunks() {
    for await (const chunk of body.chunks()) {
      reach({ done, of: body.size });
      done += chunk.length;
      yield chunk;
    }
  }
  yield* linesOf(chunks());
}

class Import {
  readonly #context: Context<Tables, State>;
  readonly #counts = { lines: 0, events: 0, matches: 0, teams: 0, refusedLines: 0, refusedEntries: 0 };
  readonly #refusals: Refusal[] = [];
  #waiting: Numbered[] = [];

  constructor(context: Context<Tables, State>) {
    this.#context = context;
  }
  async take({ number, text }: TextLine): Promise<void> {
    this.#counts.lines += 1;
    const line = this.#read(number, text);
    if (!line) return;
    this.#waiting.push({ number, line });
    if (this.#waiting.length >= LINES_TOGETHER) await this.#enter();
  }
  #read(number: number, text: string): Line | undefined {
    const { line, says, leftOut } = lineIn(text);
    if (!line) {
      this.#refuse(number, says);
      return undefined;
    }
    for (const entry of leftOut) this.#leaveOut({ line: number, ...entry });
    const isRegister = line.kind === "teams" && line.season === store.REGISTER;
    if (isRegister || canBeEntered(line.season, yearsAt(this.#context.clock.nowMs()))) return line as Line;
    this.#refuse(number, `the season ${line.season} cannot be entered`);
    return undefined;
  }
  #refuse(line: number, says: string): void {
    this.#counts.refusedLines += 1;
    if (this.#refusals.length < REFUSALS_TOLD_MAX) this.#refusals.push({ line, says });
  }
  #leaveOut(refusal: Refusal): void {
    this.#counts.refusedEntries += 1;
    if (this.#refusals.length < REFUSALS_TOLD_MAX) this.#refusals.push(refusal);
  }
  /**
   * If a batch violates a unique constraint, each line is retried alone, so that one line cannot block the
   * others.
   */
  async #enter(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    if (await this.#enterTogether(lines)) return;
    for (const one of lines)
      if (!(await this.#enterTogether([one]))) this.#refuse(one.number, "it tells the same thing twice");
  }
  async #enterTogether(lines: readonly Numbered[]): Promise<boolean> {
    try {
      await this.#context.transact(({ db, account, clock }) =>
        store.entering(db, account, clock.nowMs(), async (ledger) => {
          for (const { line } of lines) await enterLine(db, account, ledger, line);
        }),
      );
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    for (const { line } of lines) this.#count(line);
    return true;
  }
  #count(line: Line): void {
    if (line.kind === "event") {
      this.#counts.events += 1;
      this.#counts.matches += line.matches?.length ?? 0;
    } else if (line.kind === "teams") this.#counts.teams += line.teams.length;
  }
  async finish() {
    if (this.#waiting.length > 0) await this.#enter();
    return { ...this.#counts, refusals: this.#refusals };
  }
}

type Db = Context<Tables, State>["db"];
async function enterLine(db: Db, account: string, ledger: store.Ledger, line: Line): Promise<void> {
  const { season } = line;
  if (line.kind === "season") await store.enterSeason(db, account, ledger, season, line.entry);
  else if (line.kind === "districts") await store.enterDistricts(db, account, ledger, season, line.districts);
  else if (line.kind === "teams") await store.enterTeams(db, account, ledger, season, line.teams);
  else if (line.kind === "awardKinds")
    await store.enterAwardKinds(db, account, ledger, { season, kinds: line.kinds, isOnlyForNew: false });
  else {
    const document = await documentOf(db, account, ledger, line);
    await store.enterDocument(db, account, ledger, season, document, { keepsPublished: true });
  }
}

/** Replaces placeholder numbers of robots with a letter by real numbers. */
async function documentOf(
  db: Db,
  account: string,
  ledger: store.Ledger,
  line: EventLine,
): Promise<EventDocument> {
  const { labels = [], season } = line;
  const document = withWholeAlliances(line);
  if (labels.length === 0) return document;
  const numbers = await store.numberLabels(db, account, ledger, season, labels);
  const text = JSON.stringify(document, (_, value) =>
    typeof value === "number" && value >= LABELS_FROM
      ? numbers.get(labels[value - LABELS_FROM] ?? "")
      : value,
  );
  return JSON.parse(text);
}
function withWholeAlliances({
  alliances,
  kind: _,
  season: __,
  labels: ___,
  ...rest
}: EventLine): EventDocument {
  if (!alliances) return rest;
  return {
    ...rest,
    alliances: alliances.map((one) => ({
      number: one.number,
      name: one.name ?? `Alliance ${one.number}`,
      captain: one.captain,
      round1: one.round1 ?? null,
      round2: one.round2 ?? null,
      round3: one.round3 ?? null,
      backup: one.backup ?? null,
      backupReplaced: one.backupReplaced ?? null,
    })),
  };
}

const Count = Type.Integer({ minimum: 0 });
export const importLines = operation({
  id: "robotics.import",
  summary: "Imports seasons, teams and events in bulk",
  description: `Newline-delimited JSON, one line for each season, list of districts or teams, or event, at most 32 MB each; \`medley robotics import\` creates the lines from public files. ${LINES_TOGETHER} lines are one transaction, so an interrupted import keeps the earlier ones; import again to continue. Lines or entries that do not fit are left out, and the first ${REFUSALS_TOLD_MAX} are reported.`,
  method: "POST",
  path: "/v3.0/import",
  permission: "robotics:Import",
  body: streamedBody,
  bodyKinds: ["stream"],
  bodyBytesMax: BODY_BYTES_MAX,
  timeoutSeconds: SECONDS_MAX,
  transaction: "manual",
  answers: {
    200: Type.Object({
      lines: Count,
      events: Count,
      matches: Count,
      teams: Type.Integer({ minimum: 0, description: "Teams among them.", examples: [1300] }),
      refusedLines: Count,
      refusedEntries: Count,
      refusals: Type.Array(
        Type.Object({
          line: Count,
          says: Type.String(),
          part: Type.Optional(Type.String()),
          index: Type.Optional(Count),
        }),
      ),
    }),
  },
  errors: [errors.malformedParameter],
  inputError,
  tags: ["addition"],
  async handle({ body }, context) {
    const entering = new Import(context);
    return context.state.imports.during(context, "Lines, in bytes", async (reach) => {
      const pauses = new Pauses();
      for await (const line of textLinesOf(body, reach)) {
        await entering.take(line);
        await pauses.whenDue();
      }
      return entering.finish();
    });
  },
});
