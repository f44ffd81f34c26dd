/** Import directions. Read top to bottom; each rule says why. Cycles are the linter's (biome.json). */
const SERVICE = "^src/services/([^/]+)/";
const TEST = "\\.test\\.ts$";

/** Identity is large enough for rooms of its own. Each knows those after it and none before it, by their doors alone. */
const IDENTITY = "^src/services/identity/";
const IDENTITY_ROOMS = ["pages", "connect", "clients", "people"];
const identityRules = [
  ...IDENTITY_ROOMS.flatMap((room, index) => [
    {
      name: `identity-${room}-has-a-door`,
      comment: "What a room shows to the others is in its index.ts.",
      severity: "error",
      from: { path: "^src/", pathNot: `${IDENTITY}${room}/` },
      to: { path: `${IDENTITY}${room}/`, pathNot: `${IDENTITY}${room}/index\\.ts$` },
    },
    {
      name: `identity-${room}-knows-nothing-above`,
      comment: `Imports run ${IDENTITY_ROOMS.join(" -> ")}; the service is composed of them.`,
      severity: "error",
      from: { path: `${IDENTITY}${room}/` },
      to: {
        path: [`${IDENTITY}[^/]+$`, ...IDENTITY_ROOMS.slice(0, index).map((above) => `${IDENTITY}${above}/`)],
      },
    },
  ]),
  { name: "identity-no-circles", severity: "error", from: { path: IDENTITY }, to: { circular: true } },
];

module.exports = {
  forbidden: [
    {
      name: "services-never-import-each-other",
      comment: "Use a port.",
      severity: "error",
      from: { path: SERVICE },
      to: { path: "^src/services/", pathNot: "^src/services/$1/" },
    },
    {
      name: "services-see-only-kernel-and-ports",
      comment: "A service is composed by the app, it does not reach for it.",
      severity: "error",
      from: { path: SERVICE, pathNot: TEST },
      to: {
        path: "^(src|tests|tools|bench)/",
        pathNot: ["^src/services/$1/", "^src/kernel/", "^src/ports/"],
      },
    },
    {
      name: "kernel-knows-no-service",
      comment: "The kernel is below everything.",
      severity: "error",
      from: { path: "^src/kernel/", pathNot: TEST },
      to: { path: "^(src|tests)/", pathNot: "^src/kernel/" },
    },
    {
      name: "ports-know-only-the-kernel",
      comment: "A port is an interface.",
      severity: "error",
      from: { path: "^src/ports/" },
      to: { path: "^src/", pathNot: ["^src/kernel/", "^src/ports/"] },
    },
    {
      name: "only-index-is-public",
      comment: "What a service shows to others is in its index.ts.",
      severity: "error",
      from: { path: "^src/(app|admin|cli)/" },
      to: { path: "^src/services/[^/]+/", pathNot: "^src/services/[^/]+/index\\.ts$" },
    },
    {
      name: "domain-is-pure",
      comment:
        "Rules know no clock, SQL or HTTP; names of resources and the words of the catalogue are vocabulary.",
      severity: "error",
      from: { path: `${SERVICE}domain`, pathNot: TEST },
      to: {
        path: "^src/",
        pathNot: [
          "^src/services/$1/(domain|errors)",
          "^src/kernel/operation/errors",
          "^src/kernel/(arn|catalog)/index",
        ],
      },
    },
    {
      name: "sql-only-in-store",
      comment: "One place to look for queries.",
      severity: "error",
      from: { path: "^src/services/", pathNot: ["/(store|migrations)(/|\\.ts)", TEST] },
      to: { path: "node_modules/(kysely|better-sqlite3|pg)/" },
    },
    {
      name: "drivers-only-in-kernel-db",
      comment: "Nobody else knows which database it is.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/kernel/db/", "^src/cli/doctor\\.ts$", TEST] },
      to: { path: "node_modules/(better-sqlite3|pg)/" },
    },
    {
      name: "router-only-in-kernel-http",
      comment: "Routes come from declarations.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/kernel/http/" },
      to: { path: "node_modules/(find-my-way|@fastify/busboy)/" },
    },
    ...identityRules,
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default", "types"],
      extensions: [".ts", ".js"],
    },
  },
};
