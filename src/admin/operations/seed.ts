/** Demo data. */
import { Type } from "@sinclair/typebox";
import { AccountId, accountsStore } from "#kernel/auth";
import { type Context, kernelErrors, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";
import { countRows } from "../store.ts";

const operation = operationsFor<KernelTables>();
const TIMEOUT_SECONDS = 600;

function originOf(address: string): string {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw kernelErrors.invalidInput("The origin is no address that begins with http:// or https://.");
  return new URL(address).origin;
}

/** Each service seeds in a separate transaction. Seeding is idempotent. */
export const seedOperations = (kernel: Kernel) => [
  operation({
    id: "medley.seed",
    summary: "Loads demo data",
    description:
      "For all services or the named ones, each in its own transaction. Data that is there already stays, so it can be repeated.",
    method: "POST",
    path: "/seed",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    body: Type.Object({
      services: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 100,
          description: "The services to seed; all when left out.",
          examples: [["voice"]],
        }),
      ),
      account: Type.Optional(AccountId),
      origin: Type.Optional(
        Type.String({
          maxLength: 300,
          description: "Where the data finds this server; where this request reached it when left out.",
          examples: ["http://127.0.0.1:4020"],
        }),
      ),
    }),
    answers: {
      200: Type.Object({
        account: AccountId,
        seeded: Type.Array(Type.String()),
        made: Type.Array(
          Type.Object({
            service: Type.String(),
            rows: Type.Integer({ description: "How many were added; 0 where the data was there before." }),
            url: Type.String({ description: "Where the service answers." }),
          }),
        ),
      }),
    },
    async handle({ body }, context) {
      const unknown = body.services?.find(
        (name) => !kernel.services.some((service) => service.name === name),
      );
      if (unknown !== undefined) throw kernelErrors.invalidInput(`There is no service named ${unknown}.`);
      const account = body.account ?? context.account;
      if (!(await accountsStore.findAccount(context.db, account)))
        throw kernelErrors.invalidInput(`There is no account ${account}.`);
      const made: { service: string; rows: number; url: string }[] = [];
      const origin = originOf(body.origin ?? context.request.mountUrl);
      for (const service of kernel.services) {
        if (!service.seed || !(body.services?.includes(service.name) ?? true)) continue;
        const url = `${origin}${service.mount}`;
        const load = async (inner: Context) => {
          const before = await countRows(inner.db, account, service);
          await service.seed?.(inner);
          return (await countRows(inner.db, account, service)) - before;
        };
        made.push({
          service: service.name,
          rows: await kernel.transactAs(service.name, account, load, url),
          url,
        });
      }
      return { account, seeded: made.map(({ service }) => service), made };
    },
  }),
];
