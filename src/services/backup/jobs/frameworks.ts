/** Evaluates frameworks when they are created or changed, and then once a day. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import { DAY_MS, evaluateControl } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import * as store from "../store/frameworks.ts";
import type { Tables } from "../tables/index.ts";
import { readFacts } from "./audit-facts.ts";

const Named = Type.Object({ region: Type.String(), name: Type.String() });
type Named = Static<typeof Named>;
const keyOf = ({ region, name }: Named): string => `framework:${region}:${name}`;

export async function evaluateSoon(context: BackupContext, named: Named, runAtMs?: number): Promise<void> {
  const payload = { region: named.region, name: named.name };
  await context.enqueue(evaluateFramework, payload, {
    key: keyOf(named),
    ...(runAtMs !== undefined && { runAtMs }),
  });
}
export const forgetEvaluation = (context: BackupContext, named: Named): Promise<boolean> =>
  context.cancelJob(evaluateFramework, keyOf(named));

async function run({ region, name }: Named, context: BackupContext): Promise<void> {
  const framework = await store.findFramework(context.db, context.account, region, name);
  if (!framework) return;
  const facts = await readFacts(context, region);
  const findings = framework.controls.map((control) => evaluateControl(control, facts));
  await context.transact(async (inner) => {
    const current = await store.findFramework(inner.db, inner.account, region, name);
    if (!current) return;
    // The controls changed during this run, so another run is already queued.
    if (JSON.stringify(current.controls) !== JSON.stringify(framework.controls)) return;
    await store.replaceFindings(inner.db, inner.account, framework, findings);
    await store.changeFramework(inner.db, inner.account, framework, {
      deployment_status: "COMPLETED",
      evaluated_at: facts.nowMs,
    });
    await evaluateSoon(inner, framework, facts.nowMs + DAY_MS);
  });
}

export const evaluateFramework: Job<Named> = jobsFor<Tables, State>()({
  name: "backup.evaluate-framework",
  payload: Named,
  transaction: "manual",
  run,
});
