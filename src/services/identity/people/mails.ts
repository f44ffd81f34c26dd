/** Mails to people: they go to the outbox. Each carries a token that works once and not for long. */
import { digestOf } from "#kernel/auth";
import { isLocalName } from "#kernel/config";
import { Outbox } from "#kernel/events";
import type { Context } from "#kernel/operation";
import * as store from "./store/mail-tokens.ts";
import type { MailTokenRow, Tables, UserRow } from "./tables.ts";

export type MailPurpose = "reset" | "verify";
const TOKEN_LENGTH = 32;
const LIFETIME_MS: Readonly<Record<MailPurpose, number>> = { reset: 60 * 60_000, verify: 48 * 60 * 60_000 };
const PATH: Readonly<Record<MailPurpose, string>> = { reset: "/reset", verify: "/verify" };

const isOwnHost = ({ request, config }: Pick<Context, "request" | "config">): boolean => {
  if (config.publicUrl !== undefined) return true;
  const { hostname } = new URL(request.mountUrl);
  return isLocalName(hostname) || hostname.replace(/^\[|\]$/g, "") === config.host;
};
/**
 * The base address for links in mails. An attacker could send a forged Host header to get their own address into a mail
 * to somebody else. Only our own host names are trusted, and the one where the mailbox's proven owner has signed in.
 */
function findTrustedBase(
  context: Pick<Context, "request" | "config">,
  { proven_email_key, home_url }: UserRow,
): string | undefined {
  if (isOwnHost(context)) return context.request.mountUrl;
  return proven_email_key === null ? undefined : (home_url ?? undefined);
}

type Wording = { readonly subject: string; text(user: UserRow, action: string): string };
const wordings: Readonly<Record<MailPurpose, Wording>> = {
  reset: {
    subject: "Choose a new password",
    text: (user, action) =>
      `Hello ${user.username},\n\nsomebody, hopefully you, asked for a new password.\n\n${action}\n\n` +
      "This works once and for one hour. If it was not you, there is nothing to do: your password stays as it is.\n",
  },
  verify: {
    subject: "Confirm your e-mail address",
    text: (user, action) =>
      `Hello ${user.username},\n\nplease confirm that this address is yours.\n\n${action}\n\n` +
      "This works once and for two days. If you did not ask for it, ignore this message.\n",
  },
};

/** Needs a transaction. The message belongs to the person's account, whatever client asked for it. */
export async function sendTokenMail(
  context: Context<Tables>,
  user: UserRow,
  purpose: MailPurpose,
): Promise<void> {
  const { email } = user;
  if (email === null) return;
  const { db, clock, ids, secrets } = context;
  const token = ids.secret(TOKEN_LENGTH);
  const nowMs = clock.nowMs();
  await store.replaceMailToken(db, {
    digest: digestOf(token),
    account: user.account,
    user_id: user.id,
    purpose,
    email,
    created_at: nowMs,
    expires_at: nowMs + LIFETIME_MS[purpose],
  });
  const base = findTrustedBase(context, user);
  const link = base === undefined ? undefined : `${base}${PATH[purpose]}?token=${token}`;
  const action =
    link === undefined
      ? `Enter this code on the page where you asked for this message:\n${token}`
      : `Open this address in your browser:\n${link}`;
  const { subject, text } = wordings[purpose];
  const outbox = new Outbox({
    account: user.account,
    service: "identity",
    clock,
    ids,
    secrets,
    db,
    enqueue: (job, payload, options) => context.enqueue(job, payload, options),
  });
  await outbox.send({
    kind: "mail",
    target: email,
    subject,
    body: { text: text(user, action), ...(link === undefined ? { code: token } : { link }) },
  });
}

/** Undefined when it is unknown, used, too old or meant for something else. */
export const findMailToken = (
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  token: string,
  purpose: MailPurpose,
): Promise<MailTokenRow | undefined> => store.findMailToken(db, digestOf(token), purpose, clock.nowMs());

/** True for the one caller who gets to use it. Needs a transaction. */
export const takeMailToken = (db: Context<Tables>["db"], token: MailTokenRow): Promise<boolean> =>
  store.takeMailToken(db, token.digest);
