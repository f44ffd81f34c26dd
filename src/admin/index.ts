/** The admin API, the console and the root of the host, declared like any other service. */
import { defineService, type Service } from "#kernel/operation";
import type { Kernel, TimeTravel } from "#kernel/runtime";
import { consoleService, rootService } from "./console/index.ts";
import { clockOperations } from "./operations/clock.ts";
import { credentialOperations } from "./operations/credentials.ts";
import { eventOperations } from "./operations/events.ts";
import { faultOperations } from "./operations/faults.ts";
import { figureOperations } from "./operations/figures.ts";
import { observationOperations } from "./operations/health.ts";
import { objectOperations } from "./operations/objects.ts";
import { outboxOperations } from "./operations/outbox.ts";
import { permissionOperations } from "./operations/permissions.ts";
import { requestOperations } from "./operations/requests.ts";
import { browserOperations } from "./operations/resource-browser.ts";
import { resourceChangeOperations } from "./operations/resource-changes.ts";
import { resourceOperations } from "./operations/resources.ts";
import { seedOperations } from "./operations/seed.ts";
import { serviceOperations } from "./operations/services.ts";
import { sessionOperations } from "./operations/session.ts";
import { snapshotOperations } from "./operations/snapshots.ts";
import { stateOperations } from "./operations/state.ts";
import { trialOf, tryOperations } from "./operations/try.ts";
import { viewOperations } from "./operations/views.ts";
import { workOperations } from "./operations/work.ts";
import { adminProtocolWith } from "./protocol.ts";
import { Sessions } from "./sessions.ts";
import { sharedWords } from "./words.ts";

export function createAdminServices(kernel: Kernel, travel: TimeTravel): readonly Service[] {
  const sessions = new Sessions(kernel);
  const trial = trialOf(kernel);
  const admin: Service = defineService({
    name: "medley",
    title: "Admin interface",
    summary: "Time travel, faults, state, credentials, recent requests, jobs, outbox and resources.",
    mount: "/_medley",
    protocol: adminProtocolWith(sessions),
    sharedWords,
    operations: [
      ...observationOperations(kernel, () => [...kernel.services, admin]),
      ...sessionOperations(kernel, sessions),
      ...clockOperations(kernel, travel),
      ...requestOperations(kernel),
      ...tryOperations(kernel, trial),
      ...resourceChangeOperations(kernel, trial),
      ...workOperations(kernel),
      ...eventOperations,
      ...serviceOperations(kernel),
      ...outboxOperations(),
      ...faultOperations(kernel),
      ...stateOperations(kernel),
      ...snapshotOperations(kernel),
      ...objectOperations(kernel),
      ...figureOperations(kernel),
      ...seedOperations(kernel),
      ...credentialOperations(kernel),
      ...permissionOperations(kernel),
      ...resourceOperations(kernel),
      ...browserOperations(kernel, () => [...kernel.services, admin]),
      ...viewOperations(kernel),
    ],
  });
  return [admin, consoleService(() => [...kernel.services, admin]), rootService];
}
