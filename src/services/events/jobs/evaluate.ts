/**
 * Evaluates accepted messages. Each node has one loop per account, which runs while messages arrive. Each
 * turn is a transaction that reads the first messages of a shard, evaluates them and deletes them. If two
 * nodes process the same shard, the database detects the conflict and one turn is retried. So each message
 * is evaluated once and in order.
 */
import { jobsFor } from "#kernel/operation";
import { BACKLOG_MAX, type Loop } from "../evaluators.ts";
import type { EventsContext, State } from "../state.ts";
import { countWaiting, deleteUpTo, headOfQueue } from "../store/index.ts";
import type { MessageRow, Tables } from "../tables.ts";
import { Run } from "./evaluation.ts";
import { askForEvaluation, evaluation, looking } from "./wake.ts";

const TURN_MAX = 500;
/** Time that an idle loop waits for more messages. */
const LINGER_MS = 20;
/**
 * After this time, the loop enqueues a job that takes it over. Without a successor it ends, because a clock
 * change waits for running jobs.
 */
const TIRED_AFTER_MS = 1000;
const LOOP_MS_MAX = 2000;
/** A restored database can come from an instance with more shards. */
const SHARDS_EVER = 16;

const job = jobsFor<Tables, State>();

/** Returns whether messages are left. */
async function takeTurn(context: EventsContext, shard: number): Promise<boolean> {
  const messages = await headOfQueue(context.db, context.account, shard, TURN_MAX);
  const run = new Run(context);
  await run.load(messages);
  let last: MessageRow | undefined;
  for (const message of messages) {
    run.message(message);
    last = message;
    if (run.isFull) break;
  }
  if (!last) return false;
  await run.save();
  await deleteUpTo(context.db, context.account, last);
  return messages.length === TURN_MAX || last !== messages.at(-1);
}

async function takeTurnAt(context: EventsContext, loop: Loop, shard: number): Promise<void> {
  const { account, state } = context;
  if (await context.transact((inner) => takeTurn(inner, shard))) {
    loop.want([shard]);
    state.evaluators.noteBacklog(account, await countWaiting(context.db, account, BACKLOG_MAX));
  } else if (!loop.hasMore) state.evaluators.noteBacklog(account, 0);
}

/** Returns whether another job continues the loop. */
async function work(context: EventsContext, loop: Loop): Promise<boolean> {
  const startMs = performance.now();
  let isIdle = false;
  while (performance.now() < startMs + LOOP_MS_MAX) {
    if (loop.handOver()) return true;
    if (!loop.isTired && performance.now() > startMs + TIRED_AFTER_MS) {
      loop.isTired = true;
      await context.transact((inner) => askForEvaluation(inner));
    }
    const shard = loop.next();
    if (shard !== undefined) {
      isIdle = false;
      await takeTurnAt(context, loop, shard);
    } else if (isIdle && !loop.isRelied) break;
    else {
      await loop.rest(LINGER_MS);
      isIdle = true;
    }
  }
  return loop.handOver();
}

/** Waits for the commits of all relying callers. If they left messages, enqueues a job. */
async function end(context: EventsContext, loop: Loop): Promise<void> {
  loop.close();
  while (loop.isRelied) await loop.rest(LINGER_MS);
  if (loop.hasMore) await context.transact((inner) => askForEvaluation(inner));
  context.state.evaluators.forget(context.account, loop);
}

export const evaluate = job({
  ...evaluation,
  transaction: "manual",
  async run(_payload, context) {
    const shards = Array.from({ length: SHARDS_EVER }, (_, shard) => shard);
    const loop = await context.state.evaluators.open(context.account, shards);
    if (!loop) return;
    let isHandedOver = false;
    try {
      isHandedOver = await work(context, loop);
    } catch (error) {
      loop.want(shards);
      throw error;
    } finally {
      if (!isHandedOver) await end(context, loop);
    }
  },
});

/** Finds messages whose loop was lost, for example after a crash between commit and evaluation. */
export const lookForForgotten = job({
  ...looking,
  housekeeping: true,
  async run(_payload, context) {
    if ((await countWaiting(context.db, context.account, 1)) > 0) await askForEvaluation(context);
  },
});
