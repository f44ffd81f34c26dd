/** Snapshots: validation and state transitions. */
import { errors, invalidArgument } from "../errors.ts";
import {
  parseFilter,
  parseLabelFilter,
  parseTagFilters,
  type TagFilter,
  type TextFilter,
} from "./filters.ts";
import { requireTags, type Tags } from "./key-values.ts";
import type { Tier } from "./tiers.ts";

export type SnapshotStatus = "provisioning" | "ready" | "archived" | "failed";
export const SNAPSHOT_STATUSES: readonly SnapshotStatus[] = ["provisioning", "ready", "archived", "failed"];
export type Composition = "key" | "key_label";
export type SnapshotFilter = {
  readonly key: string;
  readonly label?: string | null;
  readonly tags?: readonly string[];
};
export type ParsedFilter = {
  readonly key: TextFilter;
  readonly label: TextFilter;
  readonly tags: readonly TagFilter[];
};
export type SnapshotRequest = {
  readonly filters: readonly SnapshotFilter[];
  readonly composition: Composition;
  readonly retentionSeconds: number | undefined;
  readonly tags: Tags;
};

const FILTERS_MAX = 3;
const NAME_LENGTH_MAX = 256;
const RETENTION_SECONDS_MIN = 3600;
export const SNAPSHOT_BYTES_MAX = 1024 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

export function requireSnapshotName(name: string): void {
  if (name === "" || name.length > NAME_LENGTH_MAX || CONTROL.test(name))
    throw invalidArgument(
      "name",
      `A snapshot's name has 1 to ${NAME_LENGTH_MAX} characters, none of them a control character`,
    );
}

/** A filter without a label matches key-values without a label. */
export function parseSnapshotFilter(filter: SnapshotFilter, index: number): ParsedFilter {
  const name = `filters[${index}]`;
  return {
    key: parseFilter(`${name}.key`, filter.key),
    label: parseLabelFilter(`${name}.label`, filter.label ?? ""),
    tags: parseTagFilters(`${name}.tags`, filter.tags),
  };
}

/** Returns the retention time of the archived snapshot. */
export function requireSnapshotRequest(request: SnapshotRequest, tier: Tier): number {
  const { filters, composition, retentionSeconds, tags } = request;
  if (filters.length === 0 || filters.length > FILTERS_MAX)
    throw invalidArgument("filters", `A snapshot has 1 to ${FILTERS_MAX} filters`);
  filters.forEach((filter, index) => {
    const { label } = parseSnapshotFilter(filter, index);
    const single = label.kind === "oneOf" && label.values.length === 1;
    if (composition === "key" && !single)
      throw invalidArgument(
        `filters[${index}].label`,
        "A label filter that can match several labels needs the composition type key_label",
      );
  });
  requireTags("tags", tags);
  const seconds = retentionSeconds ?? tier.snapshotRetentionSecondsDefault;
  if (seconds < RETENTION_SECONDS_MIN || seconds > tier.snapshotRetentionSecondsMax)
    throw invalidArgument(
      "retention_period",
      `The retention period is ${RETENTION_SECONDS_MIN} to ${tier.snapshotRetentionSecondsMax} seconds in this tier`,
    );
  return seconds;
}

/** Next status for archive and recover. Undefined if nothing changes. */
export function nextStatus(
  current: SnapshotStatus,
  wanted: "archived" | "ready",
): "archived" | "ready" | undefined {
  if (current === "provisioning" || current === "failed")
    throw errors.invalidState(
      "The target resource is not in a valid state to perform the requested operation.",
    );
  return current === wanted ? undefined : wanted;
}

/** Parses `status=ready,archived`. Undefined means any. */
export function parseStatusFilter(text: string | undefined): readonly SnapshotStatus[] | undefined {
  if (text === undefined || text === "" || text === "*") return undefined;
  return text.split(",").map((word) => {
    const status = SNAPSHOT_STATUSES.find((known) => known === word.trim());
    if (!status) throw invalidArgument("status", `There is no status ${JSON.stringify(word.slice(0, 40))}`);
    return status;
  });
}
