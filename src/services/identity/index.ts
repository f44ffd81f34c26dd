/** Identity connect: an OpenID Connect provider with client registration, and the pages that people see. */
import { defineService, provide } from "#kernel/operation";
import { accessTokens } from "#ports/access-tokens";
import { backupSources } from "#ports/backup-sources";
import { endUsers } from "#ports/end-users";
import { people } from "#ports/people";
import {
  backupSource,
  clientMigrations,
  clientOperations,
  clientTables,
  consoleViews,
  findClientName,
  seed,
} from "./clients/index.ts";
import {
  connectJobs,
  connectMigrations,
  connectOperations,
  connectTables,
  findTokenPrincipal,
  forget,
  issueByPassword,
  start,
} from "./connect/index.ts";
import { pageOperations } from "./pages/index.ts";
import { endUsersPort, findPerson, peopleJobs, peopleMigrations, peopleTables } from "./people/index.ts";
import { identityProtocol } from "./protocol.ts";
import { resourceKinds } from "./resources.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "identity",
  title: "Identity connect",
  summary: "Signs people in for applications with OpenID Connect, and registers those applications.",
  contract: "S1",
  mount: "/identity",
  protocol: identityProtocol,
  sharedWords,
  operations: [...pageOperations, ...connectOperations, ...clientOperations],
  jobs: [...connectJobs, ...peopleJobs],
  migrations: { ...connectMigrations, ...clientMigrations, ...peopleMigrations },
  tables: [...clientTables, ...connectTables, ...peopleTables],
  accountTables: ["identity_named_user"],
  sealedColumns: { identity_client: ["secret_sealed"] },
  provides: [
    provide(endUsers, (own) => ({
      ensure: (context, users) => endUsersPort.ensure(own(context), users),
      listAccountsNaming: (context, name) => endUsersPort.listAccountsNaming(own(context), name),
      signIn: (context, given) => endUsersPort.signIn(own(context), given),
      findStamp: (context, user) => endUsersPort.findStamp(own(context), user),
    })),
    provide(accessTokens, (own) => ({
      findPrincipal: (context, token) => findTokenPrincipal(own(context), token),
    })),
    provide(people, (own) => ({
      find: (context, userId) => findPerson(own(context), userId),
      findClientName: (context, clientId) => findClientName(own(context), clientId),
      issueByPassword: (context, given, scopes) => issueByPassword(own(context), given, scopes),
    })),
    provide(backupSources, backupSource),
  ],
  resourceKinds,
  console: consoleViews,
  pages: [
    {
      path: "/dashboard",
      title: "Dashboard",
      summary: "Clients of the identity provider: make, change, rotate.",
    },
    {
      path: "/account",
      title: "Own account",
      summary: "What a person sees and changes of their own account.",
    },
  ],
  seed,
  start,
  forget,
});
