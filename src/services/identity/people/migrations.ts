/** Tables of people: users, browser sessions, guesses, mail tokens, passkeys, consents. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_user",
    {
      id: "text",
      account: "text",
      username: "text",
      username_key: "text",
      email: "text?",
      email_key: "text?",
      proven_email_key: "text?",
      password_hash: "text",
      profile: "text",
      home_url: "text?",
      created_at: "integer",
      updated_at: "integer",
    },
    ["id"],
  );
  await createIndex(db, "identity_user", "username", ["account", "username_key"], { unique: true });
  await createIndex(db, "identity_user", "proven_email", ["account", "proven_email_key"], { unique: true });
  await createIndex(db, "identity_user", "email", ["email_key"]);
  await createIndex(db, "identity_user", "any_username", ["username_key"]);
  await createIndex(db, "identity_user", "any_proven_email", ["proven_email_key"]);
}

async function createNamedUsers(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_named_user",
    {
      account: "text",
      username_key: "text",
      email_key: "text?",
      user_id: "text",
      username: "text",
      email: "text?",
      name: "text?",
      password_hash: "text",
    },
    ["account", "username_key"],
  );
  await createIndex(db, "identity_named_user", "username", ["username_key"]);
  await createIndex(db, "identity_named_user", "email", ["email_key"]);
  await createIndex(db, "identity_named_user", "user", ["user_id"]);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_session",
    {
      id: "text",
      account: "text",
      secret_digest: "text",
      browser_state: "text",
      user_id: "text",
      methods: "text",
      created_at: "integer",
      authenticated_at: "integer",
      seen_at: "integer",
      expires_at: "integer",
      address: "text",
      agent: "text",
    },
    ["id"],
  );
  await createIndex(db, "identity_session", "secret", ["secret_digest"], { unique: true });
  await createIndex(db, "identity_session", "user", ["user_id", "id"]);
  await createIndex(db, "identity_session", "expiry", ["expires_at"]);
}

async function createDefences(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_attempt",
    { key: "text", account: "text", count: "integer", window_ends_at: "integer" },
    ["key"],
  );
  await createIndex(db, "identity_attempt", "window", ["window_ends_at"]);
  await createTable(
    db,
    "identity_mail_token",
    {
      digest: "text",
      account: "text",
      user_id: "text",
      purpose: "text",
      email: "text",
      created_at: "integer",
      expires_at: "integer",
    },
    ["digest"],
  );
  await createIndex(db, "identity_mail_token", "user", ["user_id", "purpose"]);
  await createIndex(db, "identity_mail_token", "expiry", ["expires_at"]);
}

async function createPasskeys(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_passkey",
    {
      credential_id: "text",
      account: "text",
      user_id: "text",
      relying_party: "text",
      public_key: "text",
      counter: "integer",
      transports: "text",
      name: "text",
      created_at: "integer",
      used_at: "integer?",
    },
    ["credential_id"],
  );
  await createIndex(db, "identity_passkey", "user", ["user_id", "credential_id"]);
  await createTable(
    db,
    "identity_challenge",
    {
      challenge: "text",
      account: "text",
      purpose: "text",
      browser_digest: "text",
      expires_at: "integer",
    },
    ["challenge"],
  );
  await createIndex(db, "identity_challenge", "expiry", ["expires_at"]);
}

async function createConsents(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "identity_consent",
    {
      user_id: "text",
      client_id: "text",
      account: "text",
      scopes: "text",
      granted_at: "integer",
      updated_at: "integer",
    },
    ["user_id", "client_id"],
  );
  await createIndex(db, "identity_consent", "client", ["client_id"]);
}

export const migrations: Readonly<Record<string, Migration>> = {
  "people-001": {
    async up(db) {
      await createUsers(db);
      await createNamedUsers(db);
      await createSessions(db);
      await createDefences(db);
      await createPasskeys(db);
      await createConsents(db);
    },
  },
};
