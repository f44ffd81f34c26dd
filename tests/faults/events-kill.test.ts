/** Messages under load while nodes are killed: what was acknowledged is evaluated once, in its order, and by whoever is left. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { base64, Events } from "../support/events.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const KEYS = Array.from({ length: 12 }, (_, index) => `unit-${index}`);
/** A detector writes down the numbers of all messages that it was given, one after the other. */
const diary = {
  initialStateName: "Writing",
  states: [
    {
      stateName: "Writing",
      onEnter: {
        events: [{ eventName: "begin", actions: [{ setVariable: { variableName: "seen", value: "''" } }] }],
      },
      onInput: {
        events: [
          {
            eventName: "write",
            condition: 'currentInput("Numbered")',
            actions: [
              {
                setVariable: { variableName: "seen", value: "'${$variable.seen}${$input.Numbered.number},'" },
              },
            ],
          },
        ],
      },
    },
  ],
};

let folder: string;
let nodes: NodeProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-events-"));
  nodes = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

type Place = { readonly node: NodeProcess; readonly events: Events };
async function startNode(...words: string[]): Promise<Place> {
  const node = await startServe(
    ...["--services", "events", "--log-level", "error", "--job-lease-seconds", "4", "--job-poll-ms", "50"],
    ...["--credentials", join(import.meta.dirname, "../support/credentials.json")],
    ...words,
  );
  nodes.push(node);
  const instance = new Instance({ url: node.url } as Medley);
  return { node, events: new Events(() => instance) };
}

/** What each key was sent: with an answer, and perhaps without one. */
class Sendings {
  readonly acknowledged = new Map(KEYS.map((key) => [key, new Set<number>()]));
  readonly #next = new Map<string, number>();

  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, { size }) => sum + size, 0);
  }
  /** Sends one number after the other, each when the one before was answered, until the node is gone. */
  async sendUntilGone({ events }: Place, keys: readonly string[], isOver: () => boolean): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        while (!isOver()) {
          const number = this.#next.get(key) ?? 1;
          this.#next.set(key, number + 1);
          const answer = await events
            .data("POST", "/inputs/messages", {
              messages: [
                { messageId: `n${number}`, inputName: "Numbered", payload: base64({ unit: key, number }) },
              ],
            })
            .catch(() => undefined);
          if (answer === undefined) return;
          expect([answer.status, answer.body]).toEqual([200, { BatchPutMessageErrorEntries: [] }]);
          this.acknowledged.get(key)?.add(number);
        }
      }),
    );
  }
}

async function seenBy(events: Events, key: string): Promise<number[]> {
  const detector = await events.detector("diary", key);
  const seen: string = JSON.parse(detector?.state.variables[0]?.value ?? '""');
  return seen.split(",").filter(Boolean).map(Number);
}
/** Everything that was acknowledged has been written down; nothing twice, and nothing before what came earlier. */
async function checkDiaries(events: Events, { acknowledged }: Sendings): Promise<void> {
  for (const [key, numbers] of acknowledged) {
    const seen = await eventually(async () => {
      const written = await seenBy(events, key);
      return [...numbers].every((number) => written.includes(number)) && written;
    }, `all messages of ${key}`);
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other));
  }
}
async function prepare({ events }: Place): Promise<void> {
  await events.createInput("Numbered", { attributes: [{ jsonPath: "unit" }, { jsonPath: "number" }] });
  await events.createModel("diary", diary, { key: "unit" });
}

describe("a node that is killed", () => {
  it("finds all its messages again", async () => {
    const record = new Sendings();
    for (let round = 0; round < 3; round += 1) {
      const place = await startNode("--data", folder);
      if (round === 0) await prepare(place);
      const enough = record.count + 100;
      const sending = record.sendUntilGone(place, KEYS, () => false);
      await eventually(() => record.count >= enough, "enough messages");
      await place.node.kill("SIGKILL");
      await sending;
    }
    const { events } = await startNode("--data", folder);
    await checkDiaries(events, record);
  });
});

describe("two nodes of which one is killed", () => {
  it("lose no message and evaluate none twice", async () => {
    const database = await createDatabase();
    const words = (name: string) => ["--database", database, "--data", join(folder, name)];
    const first = await startNode(...words("first"));
    const second = await startNode(...words("second"));
    await prepare(first);
    const record = new Sendings();
    const half = KEYS.length / 2;
    let isOver = false;
    const toFirst = record.sendUntilGone(first, KEYS.slice(0, half), () => false);
    const toSecond = record.sendUntilGone(second, KEYS.slice(half), () => isOver);
    await eventually(() => record.count >= 300, "enough messages");
    await first.node.kill("SIGKILL");
    await toFirst;
    // Those who spoke with the dead node go on with the other.
    const toOther = record.sendUntilGone(second, KEYS.slice(0, half), () => isOver);
    const enough = record.count + 300;
    await eventually(() => record.count >= enough, "more messages");
    isOver = true;
    await Promise.all([toSecond, toOther]);
    await checkDiaries(second.events, record);
  });
});
