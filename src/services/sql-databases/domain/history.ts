/** Earlier settings of a database, for restores to a point in time. */
import type { DatabaseProperties, PastSettings } from "./database.ts";

/** Older changes are dropped. A restore to an earlier time uses the oldest known settings. */
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

/**
 * History of a database before a change. Databases from before this feature start with their current
 * settings.
 */
export const historyOf = (properties: DatabaseProperties): readonly PastSettings[] =>
  properties.history ?? [presentOf(properties, properties.createdAtMs)];

/** Appends the current settings if they differ from the last ones. */
export function withHistory(properties: DatabaseProperties, nowMs: number): DatabaseProperties {
  const { history = [] } = properties;
  const now = presentOf(properties, nowMs);
  const last = history.at(-1);
  if (last && isSame(last, now)) return properties;
  return { ...properties, history: [...history, now].slice(-CHANGES_KEPT_MAX) };
}

/** Properties with the settings at an instant. */
export function propertiesAt(properties: DatabaseProperties, atMs: number): DatabaseProperties {
  const history = historyOf(properties);
  const then = history.findLast(({ sinceMs }) => sinceMs <= atMs) ?? history[0];
  if (!then) return properties;
  const { maxSizeBytes: _size, elasticPoolId: _pool, ...rest } = properties;
  const { sinceMs: _since, ...settings } = then;
  return { ...rest, ...settings };
}
