/** Calls of functions by jobs and by other services stay within the account. */
import { expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import type { Instance, Service } from "../../kernel/operation/index.ts";
import service from "./index.ts";
import { deliverJobs } from "./jobs/deliver.ts";
import { invoke } from "./jobs/index.ts";
import type { FunctionsContext } from "./state.ts";
import { listNamed } from "./store/index.ts";

const SOURCE = "exports.notes = ({ id }) => console.log('event ' + id);";
let inside: Instance;
/** The service as it is; its jobs are within the test's reach. */
const reachable: Service = {
  ...service,
  start(own) {
    inside = own;
    return service.start?.(own);
  },
};

onBothDatabases(
  "borders of accounts",
  (instance) => {
    const functions = new Functions(instance);
    const within = <T>(account: string, work: (context: FunctionsContext) => Promise<T>) =>
      inside.transactAs("functions", account, (own) => work(own as FunctionsContext));

    it("an event of one account does not call a function of another", async () => {
      const trigger = { eventType: "medley.resource.v1.created" };
      await functions.create("notes", { source: SOURCE, trigger });
      const [served] = await within(accounts.first.id, ({ db }) => listNamed(db, accounts.first.id, "notes"));
      const deliver = (account: string, id: string) =>
        within(account, async (own) => {
          const event = { specversion: "1.0", id, source: "/test", type: "test" };
          await own.enqueue(deliverJobs[0] as (typeof deliverJobs)[0], { slug: served?.slug ?? "", event });
        });
      await deliver(accounts.second.id, "foreign");
      await eventually(async () => {
        const { body } = await instance().bearer("GET", `/_medley/jobs?account=${accounts.second.id}`);
        return body.jobs.every(({ state }: { state: string }) => !["waiting", "running"].includes(state));
      }, "the end of the job");
      await deliver(accounts.first.id, "own");
      const told = await eventually(async () => {
        const texts = (await functions.lines("notes")).map(({ text }) => text);
        return texts.includes("event own") && texts;
      }, "the event of its own account");
      expect(told).not.toContain("event foreign");
    });

    it("only ARNs of functions of the account name functions", async () => {
      const { first, second } = accounts;
      const called = (functionArn: string) =>
        within(first.id, (own) => invoke(own, { functionArn, payload: "{}" }));
      const arnOf = (kind: string, account: string) => `arn:vendor:${kind}:us-central1:${account}`;
      expect(await called(`${arnOf("lambda", first.id)}:function:notes`)).toBe(true);
      for (const wrong of [
        `${arnOf("sqs", first.id)}:function:notes`,
        `${arnOf("lambda", second.id)}:function:notes`,
        `${arnOf("lambda", first.id)}:layer:notes`,
        `${arnOf("lambda", first.id)}:function:other`,
        "notes",
      ])
        expect(await called(wrong), wrong).toBe(false);
    });

    it.each(["9007199254740993", "9999999999999999999", 1e19])(
      "no upload has the generation %s",
      async (generation) => {
        const { bucket, object } = await functions.upload({ "index.js": SOURCE });
        const source = { storageSource: { bucket, object, generation } };
        const begun = await functions.send(
          "PATCH",
          `${functions.nameOf("notes")}?updateMask=buildConfig.source`,
          {
            body: { buildConfig: { source } },
          },
        );
        const ended = await functions.ended(begun);
        expect(ended.error).toBeDefined();
      },
    );
  },
  { services: [], extraServices: [reachable] },
);
