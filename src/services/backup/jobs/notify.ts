/** Tells the topic of a vault what happens in it, where it asked to be told. */
import { makersNamesIn } from "#kernel/arn";
import { isoOf } from "#kernel/clock";
import { vaultArnOf } from "../domain/index.ts";
import type { BackupContext } from "../state.ts";
import { findVault } from "../store/index.ts";

export type VaultEvents = {
  readonly region: string;
  readonly vaultName: string;
  readonly events: readonly string[];
  readonly message: string;
  /** Whose ids the listener may want, by their names. */
  readonly about?: Readonly<Record<string, string>>;
};
/** Joins the caller's transaction. */
export async function notifyVault(
  context: BackupContext,
  { region, vaultName, events, message, about = {} }: VaultEvents,
): Promise<void> {
  const { db, account, clock, outbox } = context;
  const vault = await findVault(db, account, region, vaultName);
  if (!vault?.topic_arn) return;
  const wanted = JSON.parse(vault.events ?? "[]") as string[];
  const isMakers = vault.topic_spelling === "makers";
  const told = {
    BackupVaultName: vaultName,
    BackupVaultArn: vaultArnOf(account, region, vaultName),
    Message: message,
    Timestamp: isoOf(clock.nowMs()),
    ...about,
  };
  const spelt = Object.fromEntries(
    Object.entries(told).map(([name, text]) => [name, isMakers ? makersNamesIn(text) : text]),
  );
  for (const event of events.filter((one) => wanted.includes(one)))
    await outbox.send({
      kind: "topic",
      target: vault.topic_arn,
      subject: event,
      body: { EventType: event, ...spelt },
    });
}
