/** The bank (specification B). Read paying.ts and store/ledger.ts next. */
import { defineService, provide } from "#kernel/operation";
import { bankSimulator } from "#ports/bank-simulator";
import { consoleViews } from "./console.ts";
import { makersDialectFor } from "./dialect.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { abroadOperations } from "./operations/abroad.ts";
import { accountOperations } from "./operations/accounts.ts";
import { allocationOperations } from "./operations/allocations.ts";
import { attachmentOperations } from "./operations/attachments.ts";
import { batchOperations } from "./operations/batches.ts";
import { beneficiaryOperations } from "./operations/beneficiaries.ts";
import { cardActionOperations } from "./operations/card-actions.ts";
import { cardStatementOperations } from "./operations/card-statements.ts";
import { cardOperations } from "./operations/cards.ts";
import { challengeOperations } from "./operations/challenges.ts";
import { claimOperations } from "./operations/claims.ts";
import { conversionOperations } from "./operations/conversions.ts";
import { credentialOperations } from "./operations/credentials.ts";
import { documentOperations } from "./operations/documents.ts";
import { draftOperations } from "./operations/drafts.ts";
import { factOperations } from "./operations/facts.ts";
import { insightOperations } from "./operations/insights.ts";
import { installationOperations } from "./operations/installations.ts";
import { invoiceOperations } from "./operations/invoices.ts";
import { merchantOperations } from "./operations/merchants.ts";
import { noteOperations } from "./operations/notes.ts";
import { notificationOperations } from "./operations/notifications.ts";
import { oauthClientOperations } from "./operations/oauth-clients.ts";
import { oauthPageOperations } from "./operations/oauth-pages.ts";
import { pageOperations } from "./operations/pages.ts";
import { paymentOperations } from "./operations/payments.ts";
import { providerOperations } from "./operations/providers.ts";
import { requestOperations } from "./operations/requests.ts";
import { scheduleOperations } from "./operations/schedules.ts";
import { shareOperations } from "./operations/shares.ts";
import { tabOperations } from "./operations/tabs.ts";
import { TILL_PATH, tillOperations } from "./operations/till.ts";
import { userOperations } from "./operations/users.ts";
import { whitelistOperations } from "./operations/whitelists.ts";
import { protocol } from "./protocol.ts";
import { seed } from "./seed.ts";
import { simulatorFor } from "./simulator.ts";
import { forget, start } from "./state.ts";
import { tables } from "./tables.ts";
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
  provides: [provide(bankSimulator, simulatorFor)],
  sharedWords: words,
  console: consoleViews,
  pages: [
    {
      path: TILL_PATH,
      title: "Card till",
      summary: "Use a card as shops do: authorise, settle, reverse, refund, and see why one is refused.",
    },
  ],
  seed,
  start,
  forget,
});
