/**
 * Evaluates accepted messages. One loop of each account on a node goes on for as long as messages come; every turn is one
 * transaction that reads the first messages of a shard, evaluates them and takes them away. Two nodes at one shard meet
 * in the database, where one of them begins its turn anew: so each message counts once, and in its order.
 */
import { jobsFor } from "#kernel/operation";
import { BACKLOG_MAX, type Loop } from "../evaluators.ts";
import type { EventsContext, State } from "../state.ts";
import { countWaiting, deleteUpTo, headOfQueue } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { Run } from "./evaluation.ts";
import { askForEvaluation, evaluation, looking } from "./wake.ts";

const TURN_MAX = 500;
/** How long a loop waits for more before it ends. */
const LINGER_MS = 20;
/** After that it asks for somebody to go on with it, and then waits no longer: whoever moves time waits for its end. */
const TIRED_AFTER_MS = 1000;
const LOOP_MS_MAX = 2000;
/** A database may come from where there were more shards. */
const SHARDS_EVER = 16;

const job = jobsFor<Tables, State>();

async function takeTurn(context: EventsContext, shard: number): Promise<number> {
  const messages = await headOfQueue(context.db, context.account, shard, TURN_MAX);
  const last = messages.at(-1);
  if (!last) return 0;
  const run = new Run(context);
  await run.load(messages);
  for (const message of messages) run.message(message);
  await run.save();
  await deleteUpTo(context.db, context.account, last);
  return messages.length;
}

async function takeTurnAt(context: EventsContext, loop: Loop, shard: number): Promise<void> {
  const { account, state } = context;
  const count = await context.transact((inner) => takeTurn(inner, shard));
  if (count === TURN_MAX) {
    loop.want([shard]);
    state.evaluators.noteBacklog(account, await countWaiting(context.db, account, BACKLOG_MAX));
  } else state.evaluators.noteBacklog(account, 0);
}

/** Answers whether somebody else goes on with the loop. */
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

/** Those who relied on the loop have committed before it is gone, and what they left is somebody's work. */
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

/** Should the node that was relied on lose its work at the one moment when nobody else knows of the messages, they are found here. */
export const lookForForgotten = job({
  ...looking,
  housekeeping: true,
  async run(_payload, context) {
    if ((await countWaiting(context.db, context.account, 1)) > 0) await askForEvaluation(context);
  },
});
