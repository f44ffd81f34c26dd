/** What callers without a token can make the service do at once. On both databases. */
import { expect, it } from "vitest";
import { BASE, openNewsroom } from "../../../tests/support/contributions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import type { Service } from "../../kernel/operation/index.ts";
import contributions from "./index.ts";
import { STRANGERS_COUNTS, type State } from "./state.ts";

let state: State;
/** The service as it is; what it keeps in memory is within the test's reach. */
const reachable: Service = {
  ...contributions,
  start(own) {
    state = contributions.start?.(own);
    return state;
  },
};

onBothDatabases(
  "contributions to strangers",
  (instance) => {
    it("counts refinements for one of them after another, and lets only so many wait", async () => {
      const room = await openNewsroom(instance());
      const made = await room.ann.send("POST", "/assignments", { name: "Open to all", alwaysOpen: true });
      expect(made.status, made.text).toBeLessThan(300);
      const path = `/contribution-refinements?assignment=${made.body.id}`;
      expect((await room.stranger.send("GET", path)).status).toBe(200);
      let end = () => {};
      const held = new Promise<void>((resolve) => {
        end = resolve;
      });
      const { waitingMax, placesMax } = STRANGERS_COUNTS;
      const others = Array.from({ length: waitingMax + placesMax }, (_, at) =>
        state.strangersCounts.run(`address ${at}`, () => held),
      );
      const refused = await instance().send("GET", `${BASE}${path}`);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect((await room.ann.send("GET", path)).status).toBe(200);
      end();
      await Promise.all(others);
      expect((await room.stranger.send("GET", path)).status).toBe(200);
    });
  },
  { services: ["identity"], extraServices: [reachable] },
);
