/** Whatever is planned, somebody may have it run at once: the plan stays. */
import { Type } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { anyone, defineService, operationsFor } from "../../src/kernel/operation/index.ts";
import { bearer, plain } from "../../src/kernel/protocols/index.ts";
import { fitting } from "../conformance/requests.ts";
import { eventually } from "../support/eventually.ts";
import { onBothDatabases } from "../support/medley.ts";

type Planned = { id: string; job: string; at: string; attempts: number };
const services = await loadServices();
const kinds = services.flatMap(({ jobs = [] }) => jobs);
const YEAR_MS = 365 * 86_400_000;
/** More at once would conflict with each other on PostgreSQL until a request runs out of time. */
const AT_ONCE = 4;

/** Plans any job for next year, under a key that nothing else uses. */
const planner = defineService({
  name: "planner",
  title: "Planner",
  summary: "Plans work of other services.",
  mount: "/planner",
  protocol: plain({ scheme: bearer }),
  operations: [
    operationsFor<unknown>()({
      id: "planner.Plan",
      summary: "Plans a job",
      method: "POST",
      path: "/plan",
      permission: anyone,
      body: Type.Object({ name: Type.String(), payload: Type.Unknown() }),
      answers: { 200: Type.Object({ id: Type.String() }) },
      async handle({ body: { name, payload } }, context) {
        const options = { key: `next year: ${name}`, runAtMs: context.clock.nowMs() + YEAR_MS };
        return { id: await context.enqueue({ name, payload: Type.Unknown() }, payload, options) };
      },
    }),
  ],
});

onBothDatabases(
  "work that is run now",
  (instance) => {
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await instance().bearer(method, path, { body });
      expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
      return answer.body;
    };
    const waiting = async (): Promise<Planned[]> => {
      const { now, due } = await ask("GET", "/_medley/due?limit=1000&housekeeping=true");
      return due.filter(({ at, attempts }: Planned) => at > now && attempts === 0);
    };
    /** Resolves when it has ended, or has failed for the first time. */
    async function runNow(id: string): Promise<{ id: string; state: string; error: string | null }> {
      const run = await ask("POST", `/_medley/jobs/${id}/retry`);
      return eventually(async () => {
        const job = await ask("GET", `/_medley/jobs/${run.id}`);
        return (job.state === "done" || job.error !== null) && job;
      }, `the end of ${run.job}`);
    }

    it("leaves planned work of every kind where it is", async () => {
      await instance().clock.freeze();
      const nextYear = instance().clock.nowMs() + YEAR_MS;
      const isKept = async ({ name, payload }: (typeof kinds)[number]): Promise<boolean> => {
        const { id } = await ask("POST", "/planner/plan", { name, payload: fitting(payload) });
        const run = await runNow(id);
        const { state, runAt } = await ask("GET", `/_medley/jobs/${id}`);
        await ask("POST", `/_medley/jobs/${id}/cancel`);
        return run.id !== id && state === "waiting" && Date.parse(runAt) === nextYear;
      };
      const kept: boolean[] = [];
      for (let from = 0; from < kinds.length; from += AT_ONCE)
        kept.push(...(await Promise.all(kinds.slice(from, from + AT_ONCE).map(isKept))));
      expect(kinds.filter((_kind, index) => !kept[index]).map(({ name }) => name)).toEqual([]);
      expect(kinds.length).toBeGreaterThan(50);
    });
    it("leaves the rhythm of what repeats as it is", async () => {
      const repeating = kinds.filter(({ repeat }) => repeat).map(({ name }) => name);
      const planned = (await waiting()).filter(({ job }) => repeating.includes(job));
      expect(planned.map(({ job }) => job).sort()).toEqual(repeating.sort());
      for (const { id } of planned) await runNow(id);
      expect((await waiting()).filter(({ job }) => repeating.includes(job))).toEqual(planned);
    });
  },
  { extraServices: [planner] },
);
