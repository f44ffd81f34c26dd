const { ROOMS } = require("./layers.cjs");

/**
 * Import directions between the parts of the product. Read top to bottom; each rule says why. The layers inside a service are
 * in `layers.cjs`, what no import shows is read in `room-rules.mjs`, and `tests/kernel/import-rules.test.ts` breaks each rule once.
 */
const SERVICE = "^src/services/([^/]+)/";
/** A domain of a service, or of one of its rooms. */
const DOMAIN = ["^src/services/[^/]+/domain(/|\\.ts$)", "^src/services/[^/]+/[^/]+/domain(/|\\.ts$)"];
const TEST = "\\.test\\.ts$";

/** A large service has several rooms. Each knows those after it and none before it, by their doors alone. */
const roomRules = Object.entries(ROOMS).flatMap(([service, rooms]) => {
  const inside = `^src/services/${service}/`;
  return rooms.flatMap((room, index) => [
    {
      name: `${service}-${room}-has-a-door`,
      comment: "What a room shows to the others is in its index.ts.",
      severity: "error",
      from: { path: "^src/", pathNot: `${inside}${room}/` },
      to: { path: `${inside}${room}/`, pathNot: `${inside}${room}/index\\.ts$` },
    },
    {
      name: `${service}-${room}-knows-nothing-above`,
      comment: `Imports run ${rooms.join(" -> ")}; the service is composed of them.`,
      severity: "error",
      from: { path: `${inside}${room}/` },
      to: { path: [`${inside}[^/]+$`, ...rooms.slice(0, index).map((above) => `${inside}${above}/`)] },
    },
  ]);
});

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
        "Rules know no clock, SQL or HTTP; names of resources, the words of the catalogue, how instants are written, markup, shapes, checksums, bounds of maps and stems of words are vocabulary.",
      severity: "error",
      from: { path: DOMAIN, pathNot: TEST },
      to: {
        path: [
          "^src/(?!services/)",
          "^(node:)?(http|https|http2|tls|dgram|fs|child_process|worker_threads)$",
        ],
        pathNot: [
          "^src/kernel/operation/errors",
          "^src/kernel/(arn|bytes|catalog|clock|html|memory|packages|shape|stems)/index",
        ],
      },
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
    ...roomRules,
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
