/** A contribution as plain text, limited to the members that the requester may see. */
import type { ContributionView } from "../views/contribution-views.ts";

const LINE = "=".repeat(72);

function placeLine(place: ContributionView["place"]): string[] {
  if (!place) return [];
  const { name, country, latLong } = place;
  const position = latLong ? `${latLong.latitude}, ${latLong.longitude}` : undefined;
  const parts = [name, country, position].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? [] : [`Place: ${parts.join(", ")}`];
}

/** `files`: the media files of this contribution in the archive. */
export function textOf(view: ContributionView, files: readonly string[]): string {
  const facts = [
    `Id: ${view.id}`,
    `Sent: ${view.created}`,
    ...(view.attribution ? [`By: ${view.attribution}`] : []),
    ...(view.assignment ? [`Assignment: ${view.assignment.name}`] : []),
    ...placeLine(view.place),
    ...(view.tags && view.tags.length > 0 ? [`Tags: ${view.tags.map(({ name }) => name).join(", ")}`] : []),
    ...(view.publicAnswers ?? []).map(({ label, value }) => `${label}: ${value}`),
    ...(view.moderationState ? [`State: ${view.moderationState.label}`] : []),
    ...files.map((file) => `File: ${file}`),
  ];
  return `${view.headline || "(without a headline)"}\n\n${facts.join("\n")}\n\n${view.body ?? ""}\n`;
}
export const separated = (text: string): string => `${text}\n${LINE}\n\n`;
