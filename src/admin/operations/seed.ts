/** Demo data. */
import { Type } from "@sinclair/typebox";
import { AccountId, accountsStore } from "#kernel/auth";
import { kernelErrors, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { adminPermission } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const TIMEOUT_SECONDS = 600;

/** Each service seeds in one transaction of its own; seeding again changes nothing. */
export const seedOperations = (kernel: Kernel) => [
  operation({
    id: "medley.seed",
    summary: "Loads a small demo data set, for all services or for those named",
    method: "POST",
    path: "/seed",
    permission: adminPermission,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    body: Type.Object({
      services: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
      account: Type.Optional(AccountId),
    }),
    answers: { 200: Type.Object({ seeded: Type.Array(Type.String()) }) },
    async handle({ body }, context) {
      const unknown = body.services?.find(
        (name) => !kernel.services.some((service) => service.name === name),
      );
      if (unknown !== undefined) throw kernelErrors.invalidInput(`There is no service named ${unknown}.`);
      const account = body.account ?? context.account;
      if (!(await accountsStore.findAccount(context.db, account)))
        throw kernelErrors.invalidInput(`There is no account ${account}.`);
      const seeded: string[] = [];
      for (const service of kernel.services) {
        if (!service.seed || !(body.services?.includes(service.name) ?? true)) continue;
        await kernel.transactAs(service.name, account, async (inner) => service.seed?.(inner));
        seeded.push(service.name);
      }
      return { seeded };
    },
  }),
];
