/** How the tests are divided between `npm test` and `npm run test:full` (CONTRIBUTING, "Two test commands"). */
import { readFileSync } from "node:fs";

/** Kernel, stores, jobs, transactions and faults run on both databases each time. */
const BOTH_DATABASES = [
  // Not object stores: what is stored takes the time, not the database.
  /\/src\/(kernel(?!\/objects\/)|examples)\//,
  /\/tests\/faults\//,
  /\/store(\/[^/]+)?\.test\.ts$/,
  /\/tests\/kernel\/(service-state|state|work|secrets|full-disk)\.test\.ts$/,
];

/** Files that run in the second part alone, by the reason that CONTRIBUTING gives. */
const SECOND_PART_ALONE = [
  // Measures: how long a turn of the main thread takes, how time grows with the input.
  "src/services/braille/braille.responsiveness.test.ts",
  "src/kernel/observe/redact.growth.test.ts",
  "tests/kernel/expressions.test.ts",
  "tests/kernel/state-turns.test.ts",
  // Very many rows: limits of counts, and the plans of queries at a size that takes a while to make.
  "src/services/bank/counts.contract.test.ts",
  "src/services/events/many-detectors.test.ts",
  "src/services/resource-groups/many-resources.test.ts",
  "src/services/language/large-content.test.ts",
  "tests/kernel/group-deletion.test.ts",
  "src/services/backup/travelled-year.test.ts",
  // Whole corpora through an engine whose code seldom changes.
  "src/services/braille/translator/translate.test.ts",
  "src/services/braille/translator/version-differences.test.ts",
  "src/services/face/recognizer/look.test.ts",
  "src/services/face/seed.contract.test.ts",
  "src/services/language/learning/learning.test.ts",
  "src/services/language/recognition/prebuilts.test.ts",
  "src/services/unpack/unpacking/unpacking.test.ts",
  "src/services/unpack/unpacking/long.test.ts",
  "tests/clients/face.test.ts",
  "tests/faults/face.test.ts",
  "tests/faults/language.test.ts",
  "src/services/unpack/workers/packer-rules.test.ts",
  // Programs that run for seconds, up to each limit and to see who waits.
  "src/services/functions/running/limits.test.ts",
  "src/services/unpack/counts.contract.test.ts",
  "src/services/unpack/load.contract.test.ts",
  "src/services/unpack/unpacking/limits.test.ts",
  "src/services/unpack/windows/limits.test.ts",
  "src/services/unpack/workers/workers.test.ts",
  // Texts, feeds and archives that were made to take as long as they can.
  "src/services/language/hostile-imports.contract.test.ts",
  "src/services/podcasts/hostile-feeds.contract.test.ts",
  "src/services/functions/running/archive.test.ts",
  "src/services/robotics/scheduling/scheduling.test.ts",
  "src/services/voice/speech/speech.test.ts",
  // The structure of the code: which files import which, and what a start of each service loads.
  "tests/kernel/import-rules.test.ts",
  "tests/kernel/service-table.test.ts",
  // What the console shows of every service, with the demo data of all of them.
  "tests/kernel/console-views.test.ts",
  "tests/kernel/resource-ways.test.ts",
  // The code blocks of every README, each with a server of its own.
  "tests/kernel/readme-tour.test.ts",
  "tests/kernel/readme-examples.test.ts",
  // The packed product, with compilers and runners that are installed for it.
  "tests/kernel/packed.test.ts",
  // Programs of others that are installed for it.
  "src/services/functions/install.test.ts",
  "src/services/contributions/media/ffmpeg.test.ts",
  "tests/clients/functions-framework.test.ts",
  "tests/clients/googleapis.test.ts",
  "tests/clients/newest-managers.test.ts",
  "tests/clients/robotics.test.ts",
  "tests/clients/objects-store.test.ts",
  // Nodes of one service killed, and two of them at once: the kernel's own kill, import and node tests run each time.
  "tests/faults/backup-kill.test.ts",
  "tests/faults/backup-two-nodes.test.ts",
  "tests/faults/bank-kill.test.ts",
  "tests/faults/contributions-kill.test.ts",
  "tests/faults/events-kill.test.ts",
  "tests/faults/functions.test.ts",
  "tests/faults/journey.test.ts",
  "tests/faults/podcasts-kill.test.ts",
  "tests/faults/podcasts-two-nodes.test.ts",
  "tests/faults/provisioning.test.ts",
  "tests/faults/voice-two-nodes.test.ts",
  "src/services/scheduler/scheduler.restart.test.ts",
  // A node killed at each request that it makes to an object store.
  "tests/faults/objects-kill.test.ts",
  // A standby that is stopped, paused and started again.
  "tests/faults/standby.test.ts",
  // A journey in time through many backups, killed on its way.
  "tests/faults/journey-backups.test.ts",
  // Every service's data in an object store, and in backups: each service tests its own data.
  "src/kernel/objects/objects.contract.test.ts",
  "src/kernel/objects/services.contract.test.ts",
  "src/services/backup/service-sources.contract.test.ts",
  // Files and exports of every release. A file of an older version that is upgraded where it lies runs each time.
  "tests/upgrade/catalogue.test.ts",
  "tests/upgrade/exports.test.ts",
  "tests/upgrade/releases.test.ts",
  // Every export of every release damaged in every way.
  "tests/upgrade/refusals.test.ts",
  "tests/upgrade/tampering.test.ts",
  // Judges of OpenAPI documents, which are installed for it.
  "tests/conformance/openapi-judges.test.ts",
  // Every operation while its database is away.
  "tests/conformance/unavailable.test.ts",
];
/** How pages look and behave, in a real browser. Sign-in and hostile pages run each time. */
const PAGES = /\/tests\/browser\/(?!identity\.|identity-sign-out|hostile-programs)/;
const isAlone = (path) => PAGES.test(path) || SECOND_PART_ALONE.some((file) => path.endsWith(`/${file}`));

export const isOnBothDatabases = (path) =>
  isAlone(path) || BOTH_DATABASES.some((pattern) => pattern.test(path));

export const isInFirstPart = (path) => !isAlone(path);
const contains = (path, words) => words.test(readFileSync(path, "utf8"));
/** What the first part left out: whole files, PostgreSQL where it ran on SQLite alone, and rounds of fault tests. */
export const isInSecondPart = (path) =>
  isAlone(path) ||
  contains(path, /\b(roundsHere|isFirstPart)\(/) ||
  (!isOnBothDatabases(path) && contains(path, /\b(onBothDatabases|databasesHere)\(/));
