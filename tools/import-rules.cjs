/**
 * Import directions. Read top to bottom; each rule says why. What no import shows is
 * read in `room-rules.mjs`, and `tests/kernel/import-rules.test.ts` breaks each rule once.
 */
const SERVICE = "^src/services/([^/]+)/";
/** A file or folder of a service's shape; a large service has several rooms of that shape. */
const SHAPE = "operations|jobs|store|domain|wire";
const inRoom = (...names) =>
  ["^src/services/[^/]+/", `^src/services/[^/]+/(?!(${SHAPE})/)[^/]+/`].map(
    (room) => `${room}(${names.join("|")})(/|\\.ts$)`,
  );
/** Where a large service's rooms meet; what lies behind it is that room's to answer for. */
const DOOR = `^src/services/[^/]+/(?!(${SHAPE})/)[^/]+/index\\.ts$`;
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
        pathNot: ["^src/services/", "^src/kernel/", "^src/ports/"],
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
      comment:
        "What a service shows to others is in its index.ts, and in manifest.ts what is known without loading it.",
      severity: "error",
      from: { path: "^src/(app|admin|cli)/" },
      to: { path: "^src/services/[^/]+/", pathNot: "^src/services/[^/]+/(index|manifest)\\.ts$" },
    },
    {
      name: "domain-is-pure",
      comment:
        "Rules know no clock, SQL or HTTP; names of resources, the words of the catalogue, how instants are written, markup, shapes, checksums and stems of words are vocabulary.",
      severity: "error",
      from: { path: inRoom("domain"), pathNot: TEST },
      to: {
        path: ["^src/", "^(node:)?(http|https|http2|tls|dgram|fs|child_process|worker_threads)$"],
        pathNot: [
          ...inRoom("domain", "errors"),
          DOOR,
          "^src/kernel/operation/errors",
          "^src/kernel/(arn|bytes|catalog|clock|html|packages|shape|stems)/index",
        ],
      },
    },
    {
      name: "errors-know-nothing",
      comment: "What can go wrong is a table.",
      severity: "error",
      from: { path: inRoom("errors"), pathNot: TEST },
      to: { path: "^src/services/", pathNot: inRoom("errors") },
    },
    {
      name: "store-knows-only-domain",
      comment: "operations → jobs → store → domain → errors",
      severity: "error",
      from: { path: inRoom("store", "migrations", "tables"), pathNot: TEST },
      to: {
        path: "^src/services/",
        pathNot: [...inRoom("store", "migrations", "tables", "state", "domain", "errors"), DOOR],
      },
    },
    {
      name: "jobs-know-no-operations",
      comment: "operations → jobs → store → domain → errors",
      severity: "error",
      from: { path: inRoom("jobs"), pathNot: TEST },
      to: { path: inRoom("operations", "seed", "console") },
    },
    {
      name: "wire-only-for-operations",
      comment:
        "How clients spell things ends where operations do; store, domain and errors never see it either.",
      severity: "error",
      from: { path: inRoom("jobs"), pathNot: TEST },
      to: { path: inRoom("wire") },
    },
    {
      name: "index-is-for-others",
      comment: "A service's own files import each other, never the whole.",
      severity: "error",
      from: { path: SERVICE, pathNot: TEST },
      to: { path: "^src/services/$1/index\\.ts$" },
    },
    {
      name: "sql-only-in-store",
      comment: "One place to look for queries.",
      severity: "error",
      from: { path: "^src/services/", pathNot: ["/(store|migrations|tables)(/|\\.ts)", TEST] },
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
    {
      name: "no-circles",
      comment:
        "Two files that import each other, be it for types, are one; name what is needed by a type of its own.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
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
