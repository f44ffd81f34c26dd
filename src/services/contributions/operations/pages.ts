/** The page of each assignment: everybody can read it, and contribute if allowed, with or without script. */
import { type Static, Type } from "@sinclair/typebox";
import { type StreamedPart, streamedParts } from "#kernel/http";
import {
  answer,
  media,
  noBody,
  operationGroup,
  operationsFor,
  ServiceError,
  streamedBody,
} from "#kernel/operation";
import type { Caller } from "../domain/access.ts";
import type { Field } from "../domain/forms.ts";
import { errors } from "../errors.ts";
import { removeMedia } from "../jobs/media.ts";
import { receiveMedia } from "../jobs/receive-media.ts";
import { MediaProblem } from "../media/byte-reader.ts";
import * as form from "../page/form.ts";
import { renderAssignmentPage } from "../page/render.ts";
import { MEDIA_BYTES_MAX, mediaBytesMaxOf } from "../settings.ts";
import type { ContributionsContext, State } from "../state.ts";
import { pageOfAssignments } from "../store/assignments.ts";
import { findForm } from "../store/forms.ts";
import { countContributions, pageOfContributions } from "../store/search.ts";
import type { AssignmentRow, MediaRow, Tables } from "../tables/index.ts";
import { assignmentViewsOf } from "../views/assignment-views.ts";
import { sightOf } from "../views/caller.ts";
import { contributionViewsOf } from "../views/contribution-views.ts";
import { getAssignment } from "./assignments.ts";
import { createContribution } from "./create-contribution.ts";

const operation = operationsFor<Tables, State>();
const SHOWN_MAX = 24;
const FEATURED_MAX = 6;
const FILES_MAX = 10;
const MEGABYTE = 1024 * 1024;
const FORM_BYTES = MEGABYTE;
const WAIT_SECONDS = 600;
/** A page is opened without a token, so it is the same for all. */
const EVERYBODY: Caller = { kind: "anonymous", userId: undefined };

const PageParams = Type.Object({
  id: Type.String({
    maxLength: 64,
    description: "The assignment's id.",
    examples: ["asg_1m7fqc7680000eyv1bw2px5"],
  }),
});
const PageQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, description: "What came before this place.", examples: [7208960000000] }),
  ),
  sent: Type.Optional(
    Type.String({ maxLength: 10, description: "Set when a contribution was taken.", examples: ["yes"] }),
  ),
});

type PageState = {
  readonly query?: Static<typeof PageQuery>;
  readonly filled?: form.Filled;
  readonly problems?: readonly form.FormProblem[];
};

function closedBecause(row: AssignmentRow, isOpen: boolean): string | undefined {
  if (!isOpen) return "It takes no contributions at this time.";
  if (Number(row.allows_anonymous) !== 1)
    return "It takes contributions of people who have signed in with their app.";
  return undefined;
}
async function askedOf({ db, account }: ContributionsContext, row: AssignmentRow): Promise<form.Asked> {
  const asked = row.form_id === null ? undefined : await findForm(db, account, row.form_id);
  if (!asked) return { heading: "", callToAction: "", fields: [] };
  return {
    heading: asked.heading,
    callToAction: asked.call_to_action,
    fields: JSON.parse(asked.fields) as Field[],
  };
}

/** Other open, featured assignments, newest first. */
async function featuredBeside(context: ContributionsContext, shown: AssignmentRow) {
  const { db, account, clock } = context;
  const wanted = { filter: { featured: true, open: true }, caller: EVERYBODY, nowMs: clock.nowMs() };
  const { rows } = await pageOfAssignments(db, account, wanted, { page: 1, pageSize: FEATURED_MAX + 1 });
  const others = rows.filter(({ id }) => id !== shown.id).slice(0, FEATURED_MAX);
  return [...(await assignmentViewsOf(context, others)).values()];
}

async function show(
  context: ContributionsContext,
  row: AssignmentRow,
  { query = {}, filled = {}, problems = [] }: PageState,
) {
  const { db, account, request } = context;
  const wanted = { filter: { assignment: row.id }, sight: await sightOf(context, EVERYBODY) };
  const rows = await pageOfContributions(db, account, wanted, {
    beforePlace: query.before,
    limit: SHOWN_MAX + 1,
  });
  const shown = rows.slice(0, SHOWN_MAX);
  const assignment = (await assignmentViewsOf(context, [row])).get(row.id);
  if (!assignment) throw errors.notFound("There is no such assignment.");
  const address = `${request.mountUrl}/pages/${row.id}`;
  const closed = closedBecause(row, assignment.open);
  const asked = await askedOf(context, row);
  const looksFirst = row.moderation === "before" ? " Somebody looks at it before everybody sees it." : "";
  return renderAssignmentPage({
    assignment,
    contributions: await contributionViewsOf(context, EVERYBODY, shown),
    total: await countContributions(db, account, wanted),
    featured: await featuredBeside(context, row),
    newestAddress: query.before === undefined ? undefined : address,
    olderAddress: rows.length > SHOWN_MAX ? `${address}?before=${shown.at(-1)?.place}` : undefined,
    closed,
    form:
      closed === undefined
        ? {
            action: `${address}/contributions`,
            callToAction: row.call_to_action || asked.callToAction || "Send",
            asked,
            mediaRequired: Number(row.media_required) === 1,
            filled,
            problems,
          }
        : undefined,
    receipt:
      query.sent === undefined ? undefined : row.receipt_message || `Thank you: it has come in.${looksFirst}`,
    origin: new URL(request.mountUrl).origin,
    ...(problems.length > 0 && { status: 400 }),
  });
}

const view = operation({
  id: "contributions.pages.view",
  summary: "Shows the public page of an assignment",
  description: `Shows public contributions, ${SHOWN_MAX} on a page, and the form if visitors may contribute.`,
  method: "GET",
  path: "/pages/{id}",
  permission: "contributions:ViewPage",
  params: PageParams,
  query: PageQuery,
  answers: { 200: media("text/html") },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const row = await getAssignment(context, EVERYBODY, params.id);
    const page = await show(context, row, { query });
    return answer(page.status, page.html, page.headers);
  },
});

type Received = {
  readonly filled: Record<string, string>;
  readonly media: MediaRow[];
  readonly problems: form.FormProblem[];
};
type FilePart = Extract<StreamedPart, { chunks: unknown }>;

/** The limit of one film, for all files together. */
const isTooMuch = ({ config }: ContributionsContext, media: readonly MediaRow[]): boolean =>
  media.reduce((sum, { size }) => sum + size, 0) > mediaBytesMaxOf(config);

async function receiveFile(context: ContributionsContext, part: FilePart, received: Received): Promise<void> {
  // Browsers send an empty part if no file was chosen.
  if (part.filename === "") return;
  const { media } = received;
  const refuse = (message: string) => received.problems.push({ name: form.FILES, message });
  if (media.length >= FILES_MAX) {
    refuse(`At most ${FILES_MAX} pictures and films at once.`);
    return;
  }
  if (isTooMuch(context, media)) return;
  try {
    media.push(await receiveMedia(context, { userId: null }, part.chunks));
    if (isTooMuch(context, media))
      refuse(`All together they are larger than ${mediaBytesMaxOf(context.config) / MEGABYTE} MB.`);
  } catch (error) {
    if (!(error instanceof MediaProblem)) throw error;
    refuse(`${part.filename}: ${error.message}`);
  }
}
async function receive(
  context: ContributionsContext,
  type: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Received> {
  const received: Received = { filled: {}, media: [], problems: [] };
  for await (const part of streamedParts(type, chunks)) {
    if ("chunks" in part) await receiveFile(context, part, received);
    else received.filled[part.name] = part.value.slice(0, form.BODY_MAX);
  }
  if (received.filled[form.CONSENT] !== "yes")
    received.problems.push({ name: form.CONSENT, message: "Please agree that it may be published." });
  return received;
}

/** Fields of the assignment's form, without empty ones. Browsers do not send unchecked boxes. */
function responsesOf(fields: readonly Field[], filled: form.Filled): Record<string, string> | undefined {
  if (fields.length === 0) return undefined;
  const given = fields.map(({ name, type }): [string, string] => {
    const value = filled[`${form.FIELD_PREFIX}${name}`] ?? "";
    return [name, type === "checkbox" && value === "" ? "false" : value];
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}
const FORM_NAMES: Readonly<Record<string, string>> = { mediaUsages: form.FILES };
function problemsOf({ message, extras }: ServiceError, fields: readonly Field[]): form.FormProblem[] {
  const nameOf = (target = ""): string =>
    fields.some(({ name }) => name === target)
      ? `${form.FIELD_PREFIX}${target}`
      : (FORM_NAMES[target] ?? target);
  const details = extras.details ?? [
    { message, ...(extras.target !== undefined && { target: extras.target }) },
  ];
  return details.map((one) => ({ name: nameOf(one.target), message: one.message }));
}

/** Undefined if it was accepted. */
async function take(
  context: ContributionsContext,
  assignment: AssignmentRow,
  { filled, media }: Received,
): Promise<form.FormProblem[] | undefined> {
  const { fields } = await askedOf(context, assignment);
  const text = (name: string, lengthMax: number): string => (filled[name] ?? "").trim().slice(0, lengthMax);
  const place = text("place", form.NAME_MAX);
  try {
    await context.transact((within) =>
      createContribution(within, EVERYBODY, {
        assignmentId: assignment.id,
        headline: text("headline", form.HEADLINE_MAX),
        body: text("body", form.BODY_MAX),
        attribution: text("attribution", form.NAME_MAX),
        ...(place !== "" && { place: { name: place } }),
        mediaIds: media.map(({ id }) => id),
        responses: responsesOf(fields, filled),
        consentedAtMs: within.clock.nowMs(),
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return problemsOf(error, fields);
  }
}

const contribute = operation({
  id: "contributions.pages.contribute",
  summary: "Receives the form of an assignment's page",
  description: `For visitors without an account, if the assignment allows it. At most ${FILES_MAX} files; a visitor may send 30 contributions in 10 minutes. Consent is required and recorded. Problems are shown on the page (400), and uploaded files are deleted then.`,
  method: "POST",
  path: "/pages/{id}/contributions",
  permission: "contributions:ContributeOnPage",
  transaction: "manual",
  timeoutSeconds: 900,
  params: PageParams,
  headers: Type.Object({
    "content-type": Type.String({
      maxLength: 300,
      description: "A form with files.",
      examples: ["multipart/form-data; boundary=x"],
    }),
  }),
  body: streamedBody,
  bodyKinds: ["stream"],
  bodyBytesMax: MEDIA_BYTES_MAX + FORM_BYTES,
  answers: { 303: noBody, 400: media("text/html") },
  errors: [errors.notFound, errors.closed, errors.tooOften],
  async handle({ params, headers, body }, context) {
    const { clock, request, state } = context;
    const assignment = await getAssignment(context, EVERYBODY, params.id);
    const open = (await assignmentViewsOf(context, [assignment])).get(assignment.id)?.open ?? false;
    const closed = closedBecause(assignment, open);
    if (closed !== undefined) throw errors.closed(closed);
    if (!state.visits.note(request.remoteAddress, clock.nowMs()))
      throw errors.tooOften("That was a lot at once. Please wait ten minutes.", {
        headers: { "retry-after": String(WAIT_SECONDS) },
      });
    const received = await receive(context, headers["content-type"], body.chunks());
    const problems =
      received.problems.length > 0 ? received.problems : await take(context, assignment, received);
    if (problems === undefined)
      return answer(303, undefined, { location: `${request.mountUrl}/pages/${params.id}?sent=yes` });
    const mediaIds = received.media.map(({ id }) => id);
    await context.transact((within) => removeMedia(within, mediaIds));
    const page = await show(context, assignment, { filled: received.filled, problems });
    return answer(400, page.html, page.headers);
  },
});

export const pageOperations = operationGroup({ errorShape: "page", tags: ["addition"] }, [view, contribute]);
