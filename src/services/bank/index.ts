/** The bank (specification B), composed of its rooms. Read money/paying.ts and book/store/ledger.ts next. */
import { defineService, provide } from "#kernel/operation";
import { backupSources } from "#ports/backup-sources";
import {
  attachmentOperations,
  credentialOperations,
  factOperations,
  installationOperations,
  noteOperations,
  notificationOperations,
  oauthClientOperations,
  oauthPageOperations,
  userOperations,
} from "./access/index.ts";
import { adminOperations } from "./admin/index.ts";
import { backupSource } from "./backup/source.ts";
import { forget, migrations, start, tables } from "./book/index.ts";
import {
  cardActionOperations,
  cardOperations,
  challengeOperations,
  TILL_PATH,
  tillOperations,
} from "./cards/index.ts";
import { consoleViews } from "./console.ts";
import { makersDialectFor } from "./dialect.ts";
import { cardStatementOperations, documentOperations, invoiceOperations } from "./documents/index.ts";
import { jobs } from "./jobs.ts";
import {
  accountOperations,
  claimOperations,
  conversionOperations,
  insightOperations,
  shareOperations,
} from "./money/index.ts";
import {
  abroadOperations,
  allocationOperations,
  batchOperations,
  beneficiaryOperations,
  draftOperations,
  paymentOperations,
  providerOperations,
  scheduleOperations,
} from "./payments/index.ts";
import { protocol } from "./protocol.ts";
import {
  merchantOperations,
  pageOperations,
  requestOperations,
  tabOperations,
  whitelistOperations,
} from "./requests/index.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { openSandboxOf, rateLimitTimesOf } from "./settings.ts";
import { words } from "./words/index.ts";

const operations = [
  ...installationOperations,
  ...credentialOperations,
  ...userOperations,
  ...accountOperations,
  ...shareOperations,
  ...paymentOperations,
  ...requestOperations,
  ...batchOperations,
  ...draftOperations,
  ...scheduleOperations,
  ...tabOperations,
  ...merchantOperations,
  ...whitelistOperations,
  ...providerOperations,
  ...conversionOperations,
  ...abroadOperations,
  ...beneficiaryOperations,
  ...allocationOperations,
  ...pageOperations,
  ...claimOperations,
  ...tillOperations,
  ...noteOperations,
  ...attachmentOperations,
  ...notificationOperations,
  ...insightOperations,
  ...factOperations,
  ...challengeOperations,
  ...oauthClientOperations,
  ...oauthPageOperations,
  ...cardOperations,
  ...cardActionOperations,
  ...cardStatementOperations,
  ...documentOperations,
  ...invoiceOperations,
];

export default defineService({
  name: "bank",
  title: "Bank",
  summary: "A bank with a ledger that balances: accounts, payments, cards and requests.",
  contract: "B",
  mount: "/bank/v1",
  protocol,
  dialects: [makersDialectFor(operations)],
  operations,
  jobs,
  migrations,
  tables,
  sealedColumns: {
    bank_server_key: ["private_key"],
    bank_oauth_client: ["secret"],
    bank_card_secret: ["value"],
  },
  adminOperations,
  sharedWords: words,
  console: consoleViews,
  pages: [
    {
      path: TILL_PATH,
      isTool: true,
      title: "Card till",
      summary: "Use a card as shops do: authorise, settle, reverse, refund, and see why one is refused.",
    },
  ],
  seed,
  resourceKinds,
  provides: [provide(backupSources, backupSource)],
  start: (instance) =>
    start(instance, {
      rateLimitTimes: rateLimitTimesOf(instance.config),
      openSandbox: openSandboxOf(instance.config),
    }),
  forget,
});
