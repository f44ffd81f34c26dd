/** Slow work does not block others: the first count after a start, and requests without a token. On both databases. */
import { expect, it } from "vitest";
import { asToken, BASE, ok, openNewsroom } from "../../../tests/support/contributions.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import type { Service } from "../../kernel/operation/index.ts";
import contributions from "./index.ts";
import { STRANGERS_COUNTS, type State } from "./state.ts";

const VISITS_MAX = 30;
let state: State;
/** The real service, with its in-memory state accessible to the test. */
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
    it("answers what is little while everything is read for the first time, and waits with the rest", async () => {
      const account = asToken(instance(), accounts.first.tokens[0]);
      const { id } = await ok(account.send("POST", "/assignments", { name: "Read", moderation: "after" }));
      await ok(account.send("POST", "/contributions", { assignment: { id }, headline: "A bridge" }));
      let end = () => {};
      const reading = state.columns.of(accounts.first.id).refresh(
        () =>
          new Promise((resolve) => {
            end = () => resolve([]);
          }),
      );
      const everything = account.send("GET", "/contribution-refinements?refinements=assignment");
      const listed = await account.send("GET", "/contributions");
      expect([listed.body.length, listed.headers.get("x-total-count")]).toEqual([1, "1"]);
      const some = await ok(
        account.send("GET", `/contribution-refinements?assignment=${id}&refinements=user`),
      );
      expect(some.user).toEqual([{ value: accounts.first.id, count: 1 }]);
      expect(state.columns.isKnown(accounts.first.id)).toBe(false);
      end();
      await reading;
      expect((await ok(everything)).assignment).toEqual([{ value: id, count: 1 }]);
      expect(state.columns.isKnown(accounts.first.id)).toBe(true);
    });

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

    it("limits visits of a page by network, whatever address of it a visitor uses", async () => {
      const room = await openNewsroom(instance());
      const { body } = await room.ann.send("POST", "/assignments", {
        name: "Visits",
        alwaysOpen: true,
        allowsAnonymousContributions: true,
      });
      const visit = (address: string) =>
        instance().send("POST", `${BASE}/pages/${body.id}/contributions`, {
          body: new FormData(),
          headers: { "x-forwarded-for": address },
        });
      for (let at = 1; at <= VISITS_MAX; at += 1)
        expect([at, (await visit(`2001:db8::${at.toString(16)}`)).status]).toEqual([at, 400]);
      expect((await visit("2001:db8::ffff")).status).toBe(429);
      expect((await visit("2001:db8:1::1")).status).toBe(400);
    });
  },
  { services: ["identity"], extraServices: [reachable], trustedProxies: ["127.0.0.1"] },
);
