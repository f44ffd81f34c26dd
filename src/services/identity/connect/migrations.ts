/** Tables of connect. The first one was released for clients as well, so their table is made in it. */
import type { Migration } from "#kernel/operation";
import { createClients } from "../clients/index.ts";

const clientsAndGrants: Migration = {
  async up(db, tools) {
    await createClients(db, tools);
    await db.schema
      .createTable("identity_grant")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("client_id", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("session_id", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("auth_time", "integer", (column) => column.notNull())
      .addColumn("methods", "text", (column) => column.notNull())
      .addColumn("redirect_uri", "text", (column) => column.notNull())
      .addColumn("nonce", "text")
      .addColumn("code_digest", "text", (column) => column.unique())
      .addColumn("code_challenge", "text")
      .addColumn("code_challenge_method", "text")
      .addColumn("code_expires_at", "integer")
      .addColumn("code_used_at", "integer")
      .addColumn("created_at", "integer", (column) => column.notNull())
      .addColumn("expires_at", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("identity_grant_user")
      .on("identity_grant")
      .columns(["user_id", "client_id"])
      .execute();
    await db.schema
      .createIndex("identity_grant_client")
      .on("identity_grant")
      .columns(["client_id"])
      .execute();
    await db.schema
      .createIndex("identity_grant_expiry")
      .on("identity_grant")
      .columns(["expires_at"])
      .execute();
  },
};

const interactions: Migration = {
  async up(db) {
    await db.schema
      .createTable("identity_interaction")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("client_id", "text")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("request", "text", (column) => column.notNull())
      .addColumn("step", "text", (column) => column.notNull())
      .addColumn("must_reauthenticate", "integer", (column) => column.notNull())
      .addColumn("agent_digest", "text", (column) => column.notNull())
      .addColumn("signed_in_session", "text")
      .addColumn("chosen_session", "text")
      .addColumn("agreement", "text")
      .addColumn("denied", "integer", (column) => column.notNull())
      .addColumn("created_at", "integer", (column) => column.notNull())
      .addColumn("expires_at", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("identity_interaction_expiry")
      .on("identity_interaction")
      .columns(["expires_at"])
      .execute();
  },
};

const keysAndRevocations: Migration = {
  async up(db) {
    await db.schema
      .createTable("identity_revocation")
      .addColumn("subject", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("revoked_at", "integer", (column) => column.notNull())
      .addColumn("expires_at", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("identity_revocation_time")
      .on("identity_revocation")
      .columns(["revoked_at"])
      .execute();
    await db.schema
      .createIndex("identity_revocation_expiry")
      .on("identity_revocation")
      .columns(["expires_at"])
      .execute();

    await db.schema
      .createTable("identity_signing_key")
      .addColumn("kid", "text", (column) => column.primaryKey())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("alg", "text", (column) => column.notNull())
      .addColumn("generation", "integer", (column) => column.notNull())
      .addColumn("public_jwk", "text", (column) => column.notNull())
      .addColumn("private_sealed", "text", (column) => column.notNull())
      .addColumn("created_at", "integer", (column) => column.notNull())
      .addColumn("active_from", "integer", (column) => column.notNull())
      .addColumn("retire_at", "integer")
      .addUniqueConstraint("identity_signing_key_generation", ["alg", "generation"])
      .execute();
  },
};

const claimsAndSignOuts: Migration = {
  async up(db) {
    await db.schema.alterTable("identity_grant").addColumn("claims", "text").execute();
    await db.schema
      .createTable("identity_session_client")
      .addColumn("session_id", "text", (column) => column.notNull())
      .addColumn("client_id", "text", (column) => column.notNull())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("issuer", "text", (column) => column.notNull())
      .addColumn("created_at", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("identity_session_client_key", ["session_id", "client_id"])
      .execute();
    await db.schema
      .createIndex("identity_session_client_client")
      .on("identity_session_client")
      .columns(["client_id"])
      .execute();
  },
};

export const migrations: Readonly<Record<string, Migration>> = {
  "connect-001-clients-and-grants": clientsAndGrants,
  "connect-002-interactions": interactions,
  "connect-003-keys-and-revocations": keysAndRevocations,
  "connect-005-claims-and-sign-outs": claimsAndSignOuts,
};
