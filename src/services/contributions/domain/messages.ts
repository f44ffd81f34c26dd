/** The texts of notifications: one template for each type. */
import { html, type Markup, nothing } from "#kernel/html";
import type { EventType } from "./events.ts";

export type MessageFacts = {
  readonly type: EventType;
  /** The headline, or the name of the subject. */
  readonly name: string;
  readonly assignment?: string;
  readonly attribution?: string;
  readonly placeName?: string;
  /** Absent if the subscriber does not want it. */
  readonly body?: string;
  readonly thumbnailUrl?: string;
  readonly pageUrl?: string;
};
export type Message = { readonly subject: string; readonly text: string; readonly html: string };

const SUBJECT_MAX = 150;
const SENTENCES: Readonly<Record<EventType, (name: string) => string>> = {
  "assignment.created": (name) => `The assignment ${name} was made.`,
  "assignment.changed": (name) => `The assignment ${name} was changed.`,
  "assignment.opened": (name) => `The assignment ${name} takes contributions from now on.`,
  "assignment.closed": (name) => `The assignment ${name} takes no more contributions.`,
  "assignment.deleted": (name) => `The assignment ${name} was deleted.`,
  "contribution.created": (name) => `A contribution came in: ${name}.`,
  "contribution.approved": (name) => `The contribution ${name} was approved.`,
  "contribution.rejected": (name) => `The contribution ${name} was rejected.`,
  "contribution.held": (name) => `The contribution ${name} was held back.`,
  "contribution.flagged": (name) => `The contribution ${name} was flagged.`,
  "contribution.hidden": (name) => `The contribution ${name} was hidden, because it was flagged too often.`,
  "contribution.changed": (name) => `The contribution ${name} was changed by its sender.`,
  "contribution.liked": (name) => `The contribution ${name} was liked.`,
  "contribution.deleted": (name) => `The contribution ${name} was deleted.`,
  "form.created": (name) => `The form ${name} was made.`,
  "form.deleted": (name) => `The form ${name} was deleted.`,
  "form-response.created": (name) => `The form ${name} was filled in.`,
  "tag.created": (name) => `The tag ${name} was made.`,
  "tagset.created": (name) => `The tag set ${name} was made.`,
};

/** A subject or a name must be a single line. */
const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
const quoted = (name: string): string => (name === "" ? "without a headline" : `“${oneLine(name)}”`);
const shortened = (text: string): string =>
  [...text].length <= SUBJECT_MAX ? text : `${[...text].slice(0, SUBJECT_MAX - 1).join("")}…`;

/** Absent if the message is about the assignment itself. */
const assignmentOf = ({ type, assignment }: MessageFacts): string | undefined =>
  assignment && !type.startsWith("assignment.") ? oneLine(assignment) : undefined;
function factsOf(facts: MessageFacts): string[] {
  const { attribution, placeName } = facts;
  const assignment = assignmentOf(facts);
  return [
    ...(assignment ? [`Assignment: ${assignment}`] : []),
    ...(attribution ? [`By: ${oneLine(attribution)}`] : []),
    ...(placeName ? [`Place: ${oneLine(placeName)}`] : []),
  ];
}

function htmlOf(facts: MessageFacts, sentence: string): Markup {
  const { thumbnailUrl, pageUrl, body } = facts;
  return html`<!doctype html>
<html lang="en"><body style="font-family:sans-serif;line-height:1.5">
<p>${sentence}</p>
${thumbnailUrl ? html`<p><img src="${thumbnailUrl}" alt="" width="200" height="200"></p>` : nothing}
${factsOf(facts).map((fact) => html`<p>${fact}</p>`)}
${body ? html`<blockquote style="white-space:pre-wrap">${body}</blockquote>` : nothing}
${pageUrl ? html`<p><a href="${pageUrl}">Open the assignment</a></p>` : nothing}
</body></html>
`;
}

export function renderMessage(facts: MessageFacts): Message {
  const sentence = SENTENCES[facts.type](quoted(facts.name));
  const assignment = assignmentOf(facts);
  const where = assignment ? ` (${assignment})` : "";
  return {
    subject: shortened(`${sentence.replace(/\.$/, "")}${where}`),
    text: [sentence, factsOf(facts).join("\n"), facts.body ?? "", facts.pageUrl ?? ""]
      .filter((part) => part !== "")
      .join("\n\n")
      .concat("\n"),
    html: htmlOf(facts, sentence).text,
  };
}
