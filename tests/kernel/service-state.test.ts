/** A service's own state: one for each running instance, seen by everything that acts for the service. */
import { Type } from "@sinclair/typebox";
import { afterEach, expect, it } from "vitest";
import {
  anyone,
  type Context,
  definePort,
  defineService,
  jobsFor,
  operationsFor,
  provide,
} from "../../src/kernel/operation/index.ts";
import { bearer, plain } from "../../src/kernel/protocols/index.ts";
import { eventually } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";

type State = { readonly logSize: number; readonly seen: string[] };
const ended: State[] = [];

const protocol = plain({ scheme: bearer });
const counting = definePort<{ note(context: Context, word: string): number }>("test-counting");

const noteJob = jobsFor<unknown, State>()({
  name: "state-keeper.note",
  payload: Type.Object({ word: Type.String() }),
  async run({ word }, { state }) {
    state.seen.push(`job ${word}`);
  },
});
const keeperOperation = operationsFor<unknown, State>();
const keeper = defineService({
  name: "state-keeper",
  title: "Keeper",
  summary: "Keeps words in memory.",
  mount: "/keeper",
  protocol: {
    ...protocol,
    authenticate(call, tools, params, state: State) {
      state.seen.push("asked");
      return protocol.authenticate(call, tools, params, state);
    },
  },
  operations: [
    keeperOperation({
      id: "state-keeper.seen",
      summary: "What was seen",
      method: "GET",
      path: "/seen",
      permission: anyone,
      answers: { 200: Type.Object({ logSize: Type.Integer(), seen: Type.Array(Type.String()) }) },
      handle: (_input, { state }) => ({ ...state }),
    }),
    keeperOperation({
      id: "state-keeper.note",
      summary: "Note a word, now and in a job",
      method: "POST",
      path: "/notes",
      permission: "state-keeper:Note",
      body: Type.Object({ word: Type.String({ maxLength: 100 }) }),
      answers: { 200: Type.Object({}) },
      async handle({ body: { word } }, context) {
        context.afterCommit(() => context.state.seen.push(`handler ${word}`));
        await context.enqueue(noteJob, { word });
        return {};
      },
    }),
  ],
  jobs: [noteJob],
  console: [
    {
      title: "Words",
      columns: ["Word"],
      rows: async ({ state }) => (state as State).seen.map((word) => [word]),
    },
  ],
  provides: [
    provide(counting, (own) => ({
      note(context, word) {
        const { state, account }: Context<unknown, State> = own(context);
        state.seen.push(`port ${word} of ${account}`);
        return state.logSize;
      },
    })),
  ],
  start: ({ config }): State => ({ logSize: config.requestLogSize, seen: [] }),
  seed: async ({ state }) => {
    state.seen.push("seed");
  },
  forget: ({ seen }) => {
    seen.splice(0);
  },
  async stop(state) {
    ended.push(state);
  },
});

const neighbour = defineService({
  name: "state-neighbour",
  title: "Neighbour",
  summary: "Has no state, and calls the keeper.",
  mount: "/neighbour",
  protocol,
  needs: [counting],
  operations: [
    operationsFor<unknown>()({
      id: "state-neighbour.call",
      summary: "Call the keeper",
      method: "POST",
      path: "/calls",
      permission: "state-neighbour:Call",
      body: Type.Object({}),
      answers: { 200: Type.Object({ logSize: Type.Integer(), ownState: Type.String() }) },
      handle: (_input, context) => ({
        logSize: context.port(counting).note(context, "call"),
        ownState: String(context.state),
      }),
    }),
  ],
});

const running: Instance[] = [];
const start = async (requestLogSize: number): Promise<Instance> => {
  const instance = await startInstance({
    services: [],
    extraServices: [neighbour, keeper],
    requestLogSize,
  });
  running.push(instance);
  return instance;
};
afterEach(async () => {
  for (const instance of running.splice(0)) await instance.stop();
  ended.splice(0);
});
const seenBy = async (instance: Instance) => (await instance.send("GET", "/keeper/seen")).body;

it("two instances of one process keep states of their own", async () => {
  const [one, two] = [await start(1), await start(2)];
  await one.bearer("POST", "/keeper/notes", { body: { word: "a" } });
  await eventually(async () => (await seenBy(one)).seen.includes("job a"));
  expect(await seenBy(one)).toEqual({ logSize: 1, seen: ["asked", "handler a", "job a"] });
  expect(await seenBy(two)).toEqual({ logSize: 2, seen: [] });
});

it("handlers, credentials, jobs, seed, console and ports see the same state", async () => {
  const instance = await start(1);
  expect((await instance.bearer("POST", "/neighbour/calls", { body: {} })).body).toEqual({
    logSize: 1,
    ownState: "undefined",
  });
  await instance.bearer("POST", "/_medley/seed", { body: { services: ["state-keeper"] } });
  await instance.bearer("POST", "/keeper/notes", { body: { word: "b" } });
  const all = ["port call of 111111111111", "seed", "asked", "handler b", "job b"];
  await eventually(async () => (await seenBy(instance)).seen.length === all.length);
  expect((await seenBy(instance)).seen).toEqual(all);
  const { body } = await instance.bearer("GET", "/_medley/views/state-keeper");
  expect(body.views[0].rows).toEqual(all.map((word) => [word]));
});

it("is told when state was cleared, and when the instance stops", async () => {
  const [one, two] = [await start(1), await start(2)];
  for (const instance of [one, two])
    await instance.bearer("POST", "/_medley/seed", { body: { services: ["state-keeper"] } });
  await one.medley.reset();
  expect((await seenBy(one)).seen).toEqual([]);
  expect((await seenBy(two)).seen).toEqual(["seed"]);
  await one.stop();
  running.shift();
  expect(ended.map(({ logSize }) => logSize)).toEqual([1]);
  expect((await seenBy(two)).seen).toEqual(["seed"]);
});
