/** Sends events of a vault to its topic and webhook, if they subscribed to them. */
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
  /** Ids for the receiver, by name. */
  readonly about?: Readonly<Record<string, string>>;
};
/** Joins the caller's transaction. */
export async function notifyVault(
  context: BackupContext,
  { region, vaultName, events, message, about = {} }: VaultEvents,
): Promise<void> {
  const { db, account, clock, outbox, secrets } = context;
  const vault = await findVault(db, account, region, vaultName);
  if (!vault || (vault.topic_arn === null && vault.endpoint_url === null)) return;
  const told = {
    BackupVaultName: vaultName,
    BackupVaultArn: vaultArnOf(account, region, vaultName),
    Message: message,
    Timestamp: isoOf(clock.nowMs()),
    ...about,
  };
  const wantedBy = (list: string | null) => {
    const wanted = JSON.parse(list ?? "[]") as string[];
    return events.filter((one) => wanted.includes(one));
  };
  const isMakers = vault.topic_spelling === "makers";
  const spelt = Object.fromEntries(
    Object.entries(told).map(([name, text]) => [name, isMakers ? makersNamesIn(text) : text]),
  );
  if (vault.topic_arn !== null)
    for (const event of wantedBy(vault.events))
      await outbox.send({
        kind: "topic",
        target: vault.topic_arn,
        subject: event,
        body: { EventType: event, ...spelt },
      });
  if (vault.endpoint_url !== null && vault.endpoint_secret !== null)
    for (const event of wantedBy(vault.endpoint_events))
      await outbox.send({
        kind: "webhook",
        target: vault.endpoint_url,
        subject: event,
        body: { EventType: event, ...told },
        deliver: { secret: secrets.open(vault.endpoint_secret) },
      });
}
