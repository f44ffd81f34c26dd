/** Identity connect: an OpenID Connect provider with client registration, and the pages that people see. */
import { defineService, provide } from "#kernel/operation";
import { accessTokens } from "#ports/access-tokens";
import { endUsers } from "#ports/end-users";
import { findTokenPrincipal } from "./connect/access-token.ts";
import { consoleViews } from "./console.ts";
import { connectJobs } from "./jobs.ts";
import { connectMigrations } from "./migrations.ts";
import { authorizeOperations } from "./operations/authorize.ts";
import { clientOperations } from "./operations/clients.ts";
import { discoveryOperations } from "./operations/discovery.ts";
import { sessionOperations } from "./operations/session.ts";
import { tokenOperations } from "./operations/token.ts";
import { userinfoOperations } from "./operations/userinfo.ts";
import { pageOperations } from "./pages/index.ts";
import { endUsersPort, peopleJobs, peopleMigrations, peopleTables } from "./people/index.ts";
import { identityProtocol } from "./protocol.ts";
import { seed } from "./seed.ts";
import { forget, start } from "./state.ts";

export default defineService({
  name: "identity",
  title: "Identity connect",
  summary: "Signs people in for applications with OpenID Connect, and registers those applications.",
  contract: "S1",
  mount: "/identity",
  protocol: identityProtocol,
  operations: [
    ...authorizeOperations,
    ...tokenOperations,
    ...userinfoOperations,
    ...clientOperations,
    ...sessionOperations,
    ...discoveryOperations,
    ...pageOperations,
  ],
  jobs: [...connectJobs, ...peopleJobs],
  migrations: { ...connectMigrations, ...peopleMigrations },
  // Signing keys are the installation's, like its secret key: they are neither exported nor reset.
  tables: [
    "identity_client",
    "identity_grant",
    "identity_interaction",
    "identity_pairwise_salt",
    "identity_revocation",
    "identity_session_client",
    ...peopleTables,
  ],
  accountTables: ["identity_named_user"],
  provides: [
    provide(endUsers, (own) => ({
      ensure: (context, users) => endUsersPort.ensure(own(context), users),
    })),
    provide(accessTokens, (own) => ({
      findPrincipal: (context, token) => findTokenPrincipal(own(context), token),
    })),
  ],
  console: consoleViews,
  seed,
  start,
  forget,
});
