/** Documents: asked for here, made by a job from the ledger, read when they are there. */
import { type TProperties, Type } from "@sinclair/typebox";
import { Answer, media } from "#kernel/operation";
import { getCard } from "../cards.ts";
import {
  contentOf,
  documentWork,
  forgetContent,
  LINES_MAX,
  type Made,
  STATEMENT_FORMATS,
  type StatementBody,
} from "../documents/index.ts";
import { dayText, nextDay, readTime, yearOf } from "../domain/days.ts";
import type { RegionalFormat } from "../domain/documents/statement.ts";
import { errors } from "../errors.ts";
import { labelled } from "../paying.ts";
import type { BankContext } from "../state.ts";
import {
  countRecords,
  findEvent,
  findRecordById,
  findUser,
  ledgerBefore,
  pageOfRecords,
  type RecordPlace,
} from "../store/index.ts";
import type { RecordRow } from "../tables.ts";
import {
  itemParams,
  LabelMonetaryAccount,
  LabelUser,
  ListQuery,
  ledgerParams,
  userParams,
} from "../wire/shared.ts";
import { collection, type Params, recordTimes, timesOf } from "./collection.ts";
import { getLedger, listOf, operation, requireUser } from "./operation.ts";

const DOCUMENTS_MAX = 1000;
const FIRST_YEAR = 1970;

export const contentAnswerOf = ({ bytes, type }: Made): Answer<Uint8Array> =>
  new Answer(200, bytes, { "content-type": type, "x-content-type-options": "nosniff" });
/** The document itself. */
export const contentOperation = ({
  id,
  path,
  params,
  types,
  read,
}: {
  readonly id: string;
  readonly path: string;
  readonly params: TProperties;
  readonly types: readonly [string, ...string[]];
  read(context: BankContext, params: Params): Promise<Answer<Uint8Array>>;
}) =>
  operation({
    id,
    summary: "The document itself",
    method: "GET",
    path,
    permission: "bank:ReadDocument",
    params: Type.Object(params),
    answers: { 200: media(...types) },
    handle: (input, context) => read(context, input.params as Params),
  });

/** Begins the making of what was just asked for. */
async function begin<Kept extends object>(context: BankContext, kind: string, id: number, body: Kept) {
  await context.enqueue(documentWork, { kind, id });
  return { status: "PENDING", body: body as Record<string, unknown> };
}
async function getDocument(context: BankContext, place: RecordPlace, id: number): Promise<RecordRow> {
  const record = await findRecordById(context.db, context.account, place.kind, id);
  if (record?.user_id !== place.userId || record.owner_id !== place.ownerId)
    throw errors.notFound(`There is no document ${id}.`);
  return record;
}

const span = { date_start: Type.String({ maxLength: 30 }), date_end: Type.String({ maxLength: 30 }) };
/** Both days are in it. */
function spanOf({ date_start, date_end }: { date_start: string; date_end: string }) {
  const [fromMs, lastMs] = [readTime(date_start), readTime(date_end)];
  if (fromMs === undefined || lastMs === undefined)
    throw errors.badRequest("date_start and date_end must be days, such as 2026-01-31.");
  if (lastMs < fromMs) throw errors.badRequest("date_end must not be before date_start.");
  return { fromMs, untilMs: nextDay(lastMs) };
}
function regionalOf(text = "EUROPEAN"): RegionalFormat {
  if (text !== "UK_US" && text !== "EUROPEAN")
    throw errors.badRequest("regional_format must be UK_US or EUROPEAN.");
  return text;
}
const placeOfLedger = async (context: BankContext, { userID = 0, monetaryAccountID = 0 }: Params) => {
  await getLedger(context, userID, monetaryAccountID);
  return { userId: userID, ownerId: monetaryAccountID };
};
const placeOfCard = async (context: BankContext, { userID = 0, cardID = 0 }: Params) => {
  await getCard(context, requireUser(context, userID), cardID);
  return { userId: userID, ownerId: cardID };
};
const placeOfUser = async (context: BankContext, { userID = 0 }: Params) => ({
  userId: requireUser(context, userID),
  ownerId: 0,
});
const remove = (context: BankContext, record: RecordRow) => forgetContent(context, record);
const shownSpan = ({ fromMs, untilMs }: StatementBody) => ({
  date_start: dayText(fromMs),
  date_end: dayText(untilMs - 1),
});

const STATEMENT = "customer-statement";
const STATEMENTS_PATH = "/user/{userID}/monetary-account/{monetaryAccountID}/customer-statement";
const statements = collection({
  kind: STATEMENT,
  name: "CustomerStatement",
  noun: "statement",
  path: STATEMENTS_PATH,
  params: ledgerParams,
  wrapper: "CustomerStatement",
  methods: ["create", "list", "read", "delete"],
  bareId: true,
  countMax: DOCUMENTS_MAX,
  given: {
    statement_format: Type.String({ maxLength: 20 }),
    ...span,
    regional_format: Type.Optional(Type.String({ maxLength: 20 })),
    include_attachment: Type.Optional(Type.Boolean()),
  },
  shown: {
    ...recordTimes,
    date_start: Type.String(),
    date_end: Type.String(),
    status: Type.String(),
    statement_number: Type.Integer(),
    statement_format: Type.String(),
    regional_format: Type.String(),
    alias_monetary_account: LabelMonetaryAccount,
  },
  placeOf: placeOfLedger,
  remove,
  async make(context, given, { userID = 0, monetaryAccountID = 0 }, id) {
    const { db, account } = context;
    const format = STATEMENT_FORMATS.find((one) => one === given.statement_format);
    if (!format) throw errors.badRequest(`statement_format must be one of ${STATEMENT_FORMATS.join(", ")}.`);
    const { fromMs, untilMs } = spanOf(given);
    const before = await ledgerBefore(db, account, monetaryAccountID, fromMs);
    const after = await ledgerBefore(db, account, monetaryAccountID, untilMs);
    if (after.serial - before.serial > LINES_MAX)
      throw errors.badRequest(`A statement has at most ${LINES_MAX} lines: ask for fewer days.`);
    const place = { kind: STATEMENT, userId: userID, ownerId: monetaryAccountID };
    const number = (await countRecords(db, account, place)) + 1;
    const regional = regionalOf(given.regional_format);
    return begin(context, STATEMENT, id, {
      format,
      regional,
      fromMs,
      untilMs,
      number,
    } satisfies StatementBody);
  },
  async show(context, record, kept) {
    const body = kept as StatementBody;
    return {
      ...timesOf(record),
      ...shownSpan(body),
      status: record.status,
      statement_number: body.number,
      statement_format: body.format,
      regional_format: body.regional,
      alias_monetary_account: await labelled(
        context,
        await getLedger(context, record.user_id, record.owner_id),
      ),
    };
  },
});
const statementContent = contentOperation({
  id: "bank.ReadCustomerStatementContent",
  path: `${STATEMENTS_PATH}/{customerStatementID}/content`,
  params: { ...ledgerParams, customerStatementID: Type.Integer({ minimum: 1 }) },
  types: ["text/csv", "text/plain", "application/pdf"],
  async read(context, params) {
    const place = { kind: STATEMENT, ...(await placeOfLedger(context, params)) };
    return contentAnswerOf(
      await contentOf(context, await getDocument(context, place, params.customerStatementID ?? 0)),
    );
  },
});

const CARD_KINDS = ["export-statement-card-csv", "export-statement-card-pdf"] as const;
const cardParams = { ...userParams, cardID: Type.Integer({ minimum: 1 }) };
const cardShown = {
  ...recordTimes,
  date_start: Type.String(),
  date_end: Type.String(),
  status: Type.String(),
  regional_format: Type.String(),
  card_id: Type.Integer(),
};
const cardStatementView = (record: RecordRow) => {
  const body = JSON.parse(record.body) as StatementBody;
  return {
    ...timesOf(record),
    ...shownSpan(body),
    status: record.status,
    regional_format: body.regional,
    card_id: record.owner_id,
  };
};
const cardStatements = (format: "CSV" | "PDF") => {
  const kind = format === "CSV" ? CARD_KINDS[0] : CARD_KINDS[1];
  return collection({
    kind,
    name: format === "CSV" ? "ExportStatementCardCsv" : "ExportStatementCardPdf",
    noun: "card statement",
    path: `/user/{userID}/card/{cardID}/${kind}`,
    params: cardParams,
    wrapper: format === "CSV" ? "ExportStatementCardCsv" : "ExportStatementCardPdf",
    methods: ["create", "list", "read", "delete"],
    countMax: DOCUMENTS_MAX,
    given: { ...span, regional_format: Type.Optional(Type.String({ maxLength: 20 })) },
    shown: cardShown,
    placeOf: placeOfCard,
    remove,
    make: (context, given, _params, id) =>
      begin(context, kind, id, {
        format,
        regional: regionalOf(given.regional_format),
        ...spanOf(given),
        number: 0,
      } satisfies StatementBody),
    show: (_context, record) => cardStatementView(record),
  });
};

async function findCardStatement(context: BankContext, params: Params, id: number): Promise<RecordRow> {
  const place = await placeOfCard(context, params);
  for (const kind of CARD_KINDS) {
    const record = await findRecordById(context.db, context.account, kind, id);
    if (record?.owner_id === place.ownerId && record.user_id === place.userId) return record;
  }
  throw errors.notFound(`There is no card statement ${id}.`);
}
const CARD_STATEMENTS_PATH = "/user/{userID}/card/{cardID}/export-statement-card";
/** Those of both formats in one list. */
const listCardStatements = operation({
  id: "bank.ListExportStatementCards",
  summary: "Lists each statement of a card, the newest first",
  method: "GET",
  path: CARD_STATEMENTS_PATH,
  permission: "bank:ListExportStatementCards",
  wrapper: "ExportStatementCard",
  params: Type.Object(cardParams),
  query: ListQuery,
  answers: { 200: Type.Array(Type.Object(cardShown)) },
  async handle({ params, query }, context) {
    const place = await placeOfCard(context, params);
    const read = async (slice: Parameters<typeof pageOfRecords>[3]) => {
      const found = [];
      for (const kind of CARD_KINDS)
        found.push(...(await pageOfRecords(context.db, context.account, { kind, ...place }, slice)));
      found.sort((a, b) => b.id - a.id);
      return slice.newerThan === undefined ? found.slice(0, slice.limit) : found.slice(-slice.limit);
    };
    return listOf(context, query, read, cardStatementView);
  },
});
const readCardStatement = operation({
  id: "bank.ReadExportStatementCard",
  summary: "Reads a statement of a card",
  method: "GET",
  path: `${CARD_STATEMENTS_PATH}/{itemId}`,
  permission: "bank:ReadExportStatementCard",
  wrapper: "ExportStatementCard",
  params: Type.Object({ ...cardParams, ...itemParams }),
  answers: { 200: Type.Object(cardShown) },
  handle: async ({ params }, context) =>
    cardStatementView(await findCardStatement(context, params, params.itemId)),
});
const cardStatementContent = contentOperation({
  id: "bank.ReadExportStatementCardContent",
  path: `${CARD_STATEMENTS_PATH}/{exportStatementCardID}/content`,
  params: { ...cardParams, exportStatementCardID: Type.Integer({ minimum: 1 }) },
  types: ["text/csv", "application/pdf"],
  read: async (context, params) =>
    contentAnswerOf(
      await contentOf(context, await findCardStatement(context, params, params.exportStatementCardID ?? 0)),
    ),
});

const OVERVIEW = "export-annual-overview";
const overviews = collection({
  kind: OVERVIEW,
  name: "ExportAnnualOverview",
  noun: "annual overview",
  path: "/user/{userID}/export-annual-overview",
  params: userParams,
  wrapper: "ExportAnnualOverview",
  methods: ["create", "list", "read", "delete"],
  bareId: true,
  countMax: DOCUMENTS_MAX,
  given: { year: Type.Integer() },
  shown: { ...recordTimes, year: Type.Integer(), alias_user: LabelUser },
  placeOf: placeOfUser,
  remove,
  make(context, { year }, _params, id) {
    if (year < FIRST_YEAR || year > yearOf(context.clock.nowMs()))
      throw errors.badRequest("year must be one that has begun.");
    return begin(context, OVERVIEW, id, { year });
  },
  async show(context, record, { year }) {
    const user = await findUser(context.db, context.account, record.user_id);
    if (!user) throw new Error(`the user ${record.user_id} is gone`);
    const { public_uuid: uuid, display_name, country } = user;
    return {
      ...timesOf(record),
      year: Number(year),
      alias_user: { uuid, display_name, country, public_nick_name: display_name },
    };
  },
});
const overviewContent = contentOperation({
  id: "bank.ReadExportAnnualOverviewContent",
  path: "/user/{userID}/export-annual-overview/{exportAnnualOverviewID}/content",
  params: { ...userParams, exportAnnualOverviewID: Type.Integer({ minimum: 1 }) },
  types: ["application/pdf"],
  async read(context, params) {
    const place = { kind: OVERVIEW, ...(await placeOfUser(context, params)) };
    return contentAnswerOf(
      await contentOf(context, await getDocument(context, place, params.exportAnnualOverviewID ?? 0)),
    );
  },
});

const RIB = "export-rib";
const ribs = collection({
  kind: RIB,
  name: "ExportRib",
  noun: "page of account details",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/export-rib",
  params: ledgerParams,
  wrapper: "ExportRib",
  methods: ["create", "list", "read", "delete"],
  bareId: true,
  countMax: DOCUMENTS_MAX,
  shown: recordTimes,
  placeOf: placeOfLedger,
  remove,
  make: (context, _given, _params, id) => begin(context, RIB, id, {}),
  show: (_context, record) => timesOf(record),
});
const ribContent = contentOperation({
  id: "bank.ReadExportRibContent",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/export-rib/{exportRibID}/content",
  params: { ...ledgerParams, exportRibID: Type.Integer({ minimum: 1 }) },
  types: ["application/pdf"],
  async read(context, params) {
    const place = { kind: RIB, ...(await placeOfLedger(context, params)) };
    return contentAnswerOf(
      await contentOf(context, await getDocument(context, place, params.exportRibID ?? 0)),
    );
  },
});

const EVENT_STATEMENT = "statement";
const EVENT_PATH = "/user/{userID}/monetary-account/{monetaryAccountID}/event/{eventID}/statement";
const eventParams = { ...ledgerParams, eventID: Type.Integer({ minimum: 1 }) };
async function placeOfEvent(context: BankContext, params: Params) {
  const { userId, ownerId } = await placeOfLedger(context, params);
  const { eventID = 0 } = params;
  const event = await findEvent(context.db, context.account, eventID);
  if (event?.user_id !== userId || event.ledger_id !== ownerId)
    throw errors.notFound(`There is no event ${eventID}.`);
  return { userId, ownerId: eventID };
}
const eventStatements = collection({
  kind: EVENT_STATEMENT,
  name: "EventStatement",
  noun: "confirmation",
  path: EVENT_PATH,
  params: eventParams,
  wrapper: "ExportStatementPayment",
  methods: ["create", "read"],
  bareId: true,
  countMax: DOCUMENTS_MAX,
  shown: { ...recordTimes, status: Type.String() },
  placeOf: placeOfEvent,
  make: (context, _given, _params, id) => begin(context, EVENT_STATEMENT, id, {}),
  show: (_context, record) => ({ ...timesOf(record), status: record.status }),
});
const eventStatementContent = contentOperation({
  id: "bank.ReadEventStatementContent",
  path: `${EVENT_PATH}/{statementID}/content`,
  params: { ...eventParams, statementID: Type.Integer({ minimum: 1 }) },
  types: ["application/pdf"],
  async read(context, params) {
    const place = { kind: EVENT_STATEMENT, ...(await placeOfEvent(context, params)) };
    return contentAnswerOf(
      await contentOf(context, await getDocument(context, place, params.statementID ?? 0)),
    );
  },
});

export const documentOperations = [
  ...statements,
  statementContent,
  ...cardStatements("CSV"),
  ...cardStatements("PDF"),
  listCardStatements,
  readCardStatement,
  cardStatementContent,
  ...overviews,
  overviewContent,
  ...ribs,
  ribContent,
  ...eventStatements,
  eventStatementContent,
];
