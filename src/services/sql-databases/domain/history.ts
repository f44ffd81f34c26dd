/** What a database's settings were at earlier moments: what a restore to a point in time takes over. */
import type { DatabaseProperties, PastSettings } from "./database.ts";

/** Older ones are forgotten; a restore to before them takes the oldest that are known. */
const CHANGES_KEPT_MAX = 100;

const presentOf = (properties: DatabaseProperties, sinceMs: number): PastSettings => ({
  sinceMs,
  currentServiceObjectiveName: properties.currentServiceObjectiveName,
  ...(properties.maxSizeBytes !== undefined && { maxSizeBytes: properties.maxSizeBytes }),
  ...(properties.elasticPoolId !== undefined && { elasticPoolId: properties.elasticPoolId }),
});
const isSame = (one: PastSettings, other: PastSettings): boolean =>
  one.currentServiceObjectiveName === other.currentServiceObjectiveName &&
  one.maxSizeBytes === other.maxSizeBytes &&
  one.elasticPoolId === other.elasticPoolId;

/** Of a database that is about to change; one from before histories were kept begins with what it is. */
export const historyOf = (properties: DatabaseProperties): readonly PastSettings[] =>
  properties.history ?? [presentOf(properties, properties.createdAtMs)];

/** Notes what has come into effect now, where it is another than before. */
export function withHistory(properties: DatabaseProperties, nowMs: number): DatabaseProperties {
  const { history = [] } = properties;
  const now = presentOf(properties, nowMs);
  const last = history.at(-1);
  if (last && isSame(last, now)) return properties;
  return { ...properties, history: [...history, now].slice(-CHANGES_KEPT_MAX) };
}

/** The properties with the settings that were in effect then. */
export function propertiesAt(properties: DatabaseProperties, atMs: number): DatabaseProperties {
  const history = historyOf(properties);
  const then = history.findLast(({ sinceMs }) => sinceMs <= atMs) ?? history[0];
  if (!then) return properties;
  const { maxSizeBytes: _size, elasticPoolId: _pool, ...rest } = properties;
  const { sinceMs: _since, ...settings } = then;
  return { ...rest, ...settings };
}
