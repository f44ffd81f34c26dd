/** Every state machine, walked whole. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isMoveAllowed, recordStates } from "./index.ts";

describe.each(Object.entries(recordStates))("a %s", (kind, { initial, moves, asked = [] }) => {
  const states = [...new Set([initial, ...Object.keys(moves), ...Object.values(moves).flat()])];

  it("moves where its table says, and nowhere else", () => {
    for (const from of states)
      for (const to of [...states, "ELSEWHERE"])
        expect([from, to, isMoveAllowed(kind, from, to)]).toEqual([
          from,
          to,
          (moves[from] ?? []).includes(to),
        ]);
  });

  it("can be asked only for states that it has", () => {
    expect(asked.filter((state) => !Object.values(moves).flat().includes(state))).toEqual([]);
  });

  /**
   * A state that no move leads to is entered by a job or by the other side. It must have a row that leads
   * out of it.
   */
  it("comes from its first state to every other", () => {
    const reached = new Set([initial]);
    for (const state of reached) for (const next of moves[state] ?? []) reached.add(next);
    expect(states.filter((state) => !reached.has(state) && !(state in moves))).toEqual([]);
  });
});

/** The list in the README is generated: an item for each kind, with its moves. */
function documented(): string {
  const items = Object.entries(recordStates).map(([kind, { initial, moves, asked = [] }]) => {
    const lines = Object.entries(moves).map(([from, to]) => `${from} → ${to.join(", ")}`);
    if (asked.length > 0) lines.push(`PUT: ${asked.join(", ")}`);
    return [`- \`${kind}\` begins as ${initial}.`, ...lines.map((line) => `  - ${line}`)].join("\n");
  });
  return items.join("\n");
}
it("has its states in the README, as they are here", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\n${documented()}\n`);
});
