/** Liveness, readiness, metrics, and the list of services. */
import { Type } from "@sinclair/typebox";
import type { Kysely } from "kysely";
import { AccountId } from "#kernel/auth";
import { databaseBytes } from "#kernel/db";
import { deliver } from "#kernel/events";
import { jobsStore } from "#kernel/jobs";
import { type OpenApiBytes, type OpenApiDocument, openApiBytesOf } from "#kernel/openapi";
import {
  answer,
  anyone,
  defineErrors,
  finishedJson,
  media,
  operationCountOf,
  operationsFor,
  type RequestInfo,
  type Service,
} from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { takesGzip } from "../accept-encoding.ts";
import { ServiceName } from "../wire.ts";

const errors = defineErrors({ notReady: ["NotReady", 503], noSuchService: ["NoSuchService", 404] });
const operation = operationsFor<KernelTables>();
const Status = Type.Object({ status: Type.Literal("ok") });
const Readiness = Type.Object({
  ...Status.properties,
  standby: Type.Optional(
    Type.String({
      description: "Whether reads that may be old go to the standby. Absent if there is none.",
      examples: ["Reads that may be old go to the standby, which is 0.4 s behind."],
    }),
  ),
});
const ServiceSummary = Type.Object({
  name: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  mount: Type.String(),
  url: Type.String(),
  host: Type.String(),
  protocol: Type.String(),
  contract: Type.Optional(Type.String()),
  operations: Type.Integer(),
  hasTables: Type.Boolean({ description: "Whether the console shows tables of it.", examples: [true] }),
  hasDemoData: Type.Boolean({ description: "Whether `medley seed` has data for it.", examples: [true] }),
  pages: Type.Array(
    Type.Object({
      path: Type.String({ description: "Where it is, below the mount.", examples: ["/listen"] }),
      title: Type.String(),
      summary: Type.String(),
      isTool: Type.Optional(
        Type.Boolean({ description: "Whether the console shows it in its own frame.", examples: [true] }),
      ),
    }),
    { description: "Pages of its own that people open in a browser." },
  ),
});

function standbyInWords({ database: { standby } }: Kernel): string | undefined {
  if (!standby) return undefined;
  const { state } = standby;
  if (!state.isUsed) return `Reads go to the primary. The standby is not used: ${state.problem}.`;
  return `Reads that may be old go to the standby, which is ${state.lagSeconds.toFixed(1)} s behind.`;
}
function standbyFigures({ database: { standby } }: Kernel): Record<string, number> {
  if (!standby) return {};
  const { isUsed, lagSeconds } = standby.state;
  return {
    medley_standby_used: isUsed ? 1 : 0,
    ...(lagSeconds !== undefined && { medley_standby_lag_seconds: lagSeconds }),
  };
}

/** Metrics from the database: its size, and the jobs of all nodes. */
async function storedFigures(kernel: Kernel, db: Kysely<KernelTables>): Promise<Record<string, number>> {
  const byState = await jobsStore.countByState(db);
  const backlog = await jobsStore.backlogOf(db, kernel.clock.nowMs(), deliver.name);
  return {
    ...Object.fromEntries(Object.entries(byState).map(([state, count]) => [`medley_jobs_${state}`, count])),
    medley_jobs_due: backlog.due,
    medley_jobs_oldest_due_age_seconds: backlog.oldestAgeSeconds,
    medley_deliveries_waiting: backlog.named,
    medley_database_bytes: await databaseBytes(db, kernel.database.kind),
  };
}

const healthOperations = (kernel: Kernel) => [
  operation({
    id: "medley.health",
    summary: "Reports whether the process is alive",
    description: "Does not use the database. For liveness probes.",
    method: "GET",
    path: "/health",
    permission: anyone,
    answers: { 200: Status },
    handle: () => ({ status: "ok" as const }),
  }),
  operation({
    id: "medley.ready",
    summary: "Reports whether the process can serve requests",
    description: "Asks the database; 503 with `Retry-After` if it does not answer. For readiness probes.",
    method: "GET",
    path: "/ready",
    permission: anyone,
    answers: { 200: Readiness },
    errors: [errors.notReady],
    async handle() {
      if (!(await kernel.database.isReady()))
        throw errors.notReady("The database does not answer.", { headers: { "retry-after": "1" } });
      const standby = standbyInWords(kernel);
      return { status: "ok" as const, ...(standby !== undefined && { standby }) };
    },
  }),
  operation({
    id: "medley.metrics",
    summary: "Returns metrics in the Prometheus text format",
    description:
      "Requests, latencies and memory of this node; job counts and database size of all nodes. If the database does not answer, the figures of the process are returned alone.",
    method: "GET",
    path: "/metrics",
    permission: anyone,
    mayBeOld: "always",
    answers: { 200: media("text/plain; version=0.0.4; charset=utf-8") },
    async handle(_input, { db }) {
      // Metrics of the process are returned even if the database is unavailable.
      const stored = (await kernel.database.isReady())
        ? await storedFigures(kernel, db).catch(() => ({}))
        : {};
      const { rss, heapUsed } = process.memoryUsage();
      const figures = {
        medley_resident_bytes: rss,
        medley_heap_bytes: heapUsed,
        medley_body_memory_bytes: kernel.bytesInMemory.held,
        medley_body_disk_bytes: kernel.bytesOnDisk.held,
        ...standbyFigures(kernel),
        ...stored,
      };
      return kernel.metrics.text(figures, { medley_standby_used: standbyInWords(kernel) ?? "" });
    },
  }),
];

const ForAccount = Type.Object({
  account: Type.Optional({
    ...AccountId,
    description: "The account that examples name, so that they can be sent as they are.",
  }),
});

/** The list of services is known only after composition. */
function documentsOf(services: () => readonly Service[]) {
  let whole: OpenApiBytes | undefined;
  const single = new Map<string, OpenApiBytes>();
  return {
    get whole(): OpenApiBytes {
      whole ??= openApiBytesOf(services());
      return whole;
    },
    findOne(name: string) {
      const service = services().find((one) => one.name === name);
      if (service && !single.has(name)) single.set(name, openApiBytesOf([service]));
      return single.get(name);
    },
  };
}

/** Compression reduces the document to a fifteenth. */
async function sent({ plain, packed }: OpenApiDocument, { headers }: RequestInfo) {
  const isPacked = takesGzip(headers["accept-encoding"]);
  return answer(200, isPacked ? await packed() : plain, {
    vary: "accept-encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
}

const descriptionOperations = (
  services: () => readonly Service[],
  documents: ReturnType<typeof documentsOf>,
) => [
  operation({
    id: "medley.services",
    summary: "Lists the mounted services",
    description: "With their URL, protocol, number of operations and pages.",
    method: "GET",
    path: "/services",
    permission: anyone,
    answers: { 200: Type.Object({ services: Type.Array(ServiceSummary) }) },
    handle(_input, { request }) {
      const origin = new URL(request.mountUrl).origin;
      return {
        services: services().map((service) => ({
          name: service.name,
          title: service.title,
          summary: service.summary,
          mount: service.mount,
          url: `${origin}${service.mount}`,
          host: `${service.mount.split("/")[1]}.localhost`,
          protocol: service.protocol.name,
          ...(service.contract !== undefined && { contract: service.contract }),
          operations: operationCountOf(service),
          // Without loading the service.
          hasTables: "console" in service,
          hasDemoData: "seed" in service,
          pages: [...(service.pages ?? [])],
        })),
      };
    },
  }),
  operation({
    id: "medley.openapi",
    summary: "Returns the OpenAPI 3.1 document of all services",
    description:
      "Several megabytes, compressed with gzip if the client accepts it. `account` is used in the examples.",
    method: "GET",
    path: "/openapi.json",
    permission: anyone,
    query: ForAccount,
    answers: { 200: finishedJson(Type.Unknown()) },
    handle: async ({ query }, { request }) =>
      sent(await documents.whole(new URL(request.mountUrl).origin, query.account), request),
  }),
  operation({
    id: "medley.openapi-of-service",
    summary: "Returns the OpenAPI 3.1 document of one service",
    description: "The name may end in `.json`.",
    method: "GET",
    path: "/openapi/{service}",
    permission: anyone,
    params: Type.Object({ service: ServiceName }),
    query: ForAccount,
    answers: { 200: finishedJson(Type.Unknown()) },
    errors: [errors.noSuchService],
    async handle({ params, query }, { request }) {
      const wanted = params.service.replace(/\.json$/, "");
      const document = documents.findOne(wanted);
      if (!document) throw errors.noSuchService(`There is no service named ${wanted}.`);
      return sent(await document(new URL(request.mountUrl).origin, query.account), request);
    },
  }),
];

export const observationOperations = (kernel: Kernel, services: () => readonly Service[]) => [
  ...healthOperations(kernel),
  ...descriptionOperations(services, documentsOf(services)),
];
