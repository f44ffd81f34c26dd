/**
 * The layers inside a service, from top to bottom. A file imports files of its own layer and of those below it, so no chain of
 * imports leads up either. Every file and folder of a service has one of these names, or is declared in `OWN_PARTS`.
 */
const LAYERS = {
  /** The service, composed. */
  whole: ["index"],
  /** What requests, demo data and the console begin with. */
  operations: [
    "operations",
    "seed",
    "console",
    "resources",
    "manifest",
    "protocol",
    "gateway",
    "command",
    "admin",
  ],
  /** How clients and people see things: shapes, words, pages. */
  wire: ["wire", "words", "dialect", "pages"],
  /** What other services are served with. */
  ports: ["port", "backup-source"],
  /** What operations, ports and demo data do alike; they may plan jobs. */
  actions: ["actions"],
  jobs: ["jobs"],
  /** What operations and jobs share, and what an instance keeps in memory. */
  parts: ["state"],
  store: ["store", "migrations", "tables"],
  /** Computations and settings that know neither the database nor a request. */
  engines: ["settings"],
  domain: ["domain"],
  errors: ["errors"],
};

/** Files and folders that one service alone has, by their layers. Of a service with rooms, by its rooms. */
const OWN_PARTS = {
  // The gateway answers requests; what it keeps in memory knows what operations declare.
  "api-diagnostics": { operations: ["state"], parts: ["traffic"], engines: ["yaml"] },
  backup: { parts: ["storage", "tree"] },
  bank: { ports: ["backup"] },
  "bank/access": { parts: ["catalog-entry", "default-user", "open-sandbox", "open-user"] },
  "bank/documents": { parts: ["makers", "others", "statements"], engines: ["pdf", "pdf-worker"] },
  "bank/cards": {
    wire: ["till"],
    parts: ["accounts", "cards", "challenges", "changes", "transactions", "views"],
  },
  "bank/payments": {
    parts: ["abroad", "allocations", "beneficiaries", "orders", "schedules", "views"],
  },
  "bank/requests": {
    parts: [
      "arrivals",
      "codes",
      "direct-debits",
      "merchants",
      "payables",
      "providers",
      "requests",
      "shared-pictures",
      "views",
    ],
  },
  "bank/money": {
    parts: [
      "allocation-plan",
      "billing",
      "clearing",
      "clearing-times",
      "conversions",
      "document-work",
      "event-objects",
      "fundraisers",
      "opening",
      "paying",
      "sharing",
      "sorting",
      "views",
      "waiting",
    ],
  },
  "bank/book": { parts: ["deadlines", "happening", "open-pages", "records", "views"] },
  braille: { engines: ["translator"] },
  "configuration-stores": { parts: ["access", "endpoint", "provider"] },
  contributions: {
    operations: ["seed-pictures"],
    wire: ["page", "moderation"],
    ports: ["backup"],
    parts: ["export", "links", "views", "visits"],
    engines: ["media"],
  },
  events: { wire: ["diagram"], parts: ["evaluators"] },
  face: { wire: ["viewer"], parts: ["search"], engines: ["recognizer"] },
  functions: { wire: ["try"], parts: ["conditions", "links", "members", "running"] },
  "identity/pages": {
    wire: [
      "account-pages",
      "asking",
      "client-form",
      "consent-page",
      "dashboard-pages",
      "error-page",
      "field-words",
      "icons",
      "layout",
      "own-page",
      "owner",
      "parts",
      "password-pages",
      "scope-words",
      "session-iframe",
      "sign-in-page",
      "signed-out-page",
      "snippets",
      "style",
    ],
  },
  "identity/connect": {
    parts: [
      "access-token",
      "answer-address",
      "attempts",
      "authorize",
      "client-authentication",
      "client-deletion",
      "grants",
      "id-token",
      "interactions",
      "keys",
      "live-clients",
      "logout",
      "outcome",
      "owner-token",
      "password-grant",
      "pkce",
      "revocations",
      "sign-outs",
      "token",
      "verified-tokens",
    ],
  },
  "identity/clients": { parts: ["catalog-entry", "client", "own-client", "subjects"] },
  "identity/people": {
    parts: [
      "consents",
      "cookies",
      "end-users",
      "forgery",
      "guessing",
      "known-person",
      "mails",
      "named-users",
      "passkeys",
      "passwords",
      "sessions",
      "sign-in",
      "users",
    ],
  },
  language: {
    // Two services share this folder.
    whole: ["predictions"],
    operations: ["command-files"],
    wire: ["workbench"],
    parts: ["loaded-models", "query-collector"],
    engines: ["learning", "reading", "recognition", "transfer"],
  },
  podcasts: { wire: ["editor", "listen"], parts: ["import", "quota", "search"], engines: ["reading"] },
  robotics: { parts: ["live", "scheduling", "standings-cache"], engines: ["import"] },
  "security-tokens": { parts: ["sessions"] },
  unpack: {
    wire: ["viewer"],
    parts: ["workers"],
    engines: ["emulator", "pe", "unpacking", "windows"],
  },
  voice: { parts: ["lines"], engines: ["sip", "speech"] },
};

/** Rooms of services that are large enough for several. Each knows those after it and none before it, by their doors alone. */
const ROOMS = {
  bank: ["access", "documents", "cards", "payments", "requests", "money", "book"],
  identity: ["pages", "connect", "clients", "people"],
};

/** What lies beside the services. */
const OTHER_PLACES = /^src\/(?:(?:admin|app|cli|kernel|ports)\/|(?:library|main)\.ts$)/;
const IN_SERVICE = /^src\/(?:services|examples)\/([^/]+)\/(.+)$/;
const TEST_FILE = /\.test\.ts$/;

const layerNames = Object.keys(LAYERS);
const layersOf = (named) =>
  Object.fromEntries(Object.entries(named).flatMap(([layer, names]) => names.map((name) => [name, layer])));
const shared = layersOf(LAYERS);
const own = Object.fromEntries(Object.entries(OWN_PARTS).map(([room, named]) => [room, layersOf(named)]));

/** Which room of which service a file lies in, and what its first folder there, or the file itself, is called. */
function placeOf(file) {
  const [, service, path] = IN_SERVICE.exec(file) ?? [];
  if (service === undefined) return undefined;
  const names = path.replace(/\.ts$/, "").split("/");
  const isInRoom = names.length > 1 && (ROOMS[service] ?? []).includes(names[0]);
  const room = isInRoom ? `${service}/${names[0]}` : service;
  return { service, room, name: isInRoom ? names[1] : names[0] };
}
const layerOf = ({ room, name }) => own[room]?.[name] ?? shared[name];
/** Whether what lies in one place would know a layer above its own. */
const isUpwards = (place, other) => layerNames.indexOf(layerOf(other)) < layerNames.indexOf(layerOf(place));

/** `modules`: the sources and what each imports, as `depcruise` tells them. */
function findLayerBreaches(modules) {
  const sources = modules.filter(({ source }) => source.startsWith("src/") && !TEST_FILE.test(source));
  return sources.flatMap(({ source, dependencies }) => {
    if (OTHER_PLACES.test(source)) return [];
    const place = placeOf(source);
    const layer = place && layerOf(place);
    if (layer === undefined) return [{ rule: "every-file-has-a-layer", text: source }];
    return dependencies.flatMap(({ resolved }) => {
      const other = placeOf(resolved);
      // Between services other rules hold, and between rooms `doors.mjs` looks at what is behind their doors.
      if (other?.room !== place.room) return [];
      return isUpwards(place, other)
        ? [{ rule: "layers-run-downwards", text: `${source} -> ${resolved} (${layer} -> ${layerOf(other)})` }]
        : [];
    });
  });
}

module.exports = { ROOMS, findLayerBreaches, isUpwards, placeOf };
