/** Documents: asked for here, made by a job from the ledger, read when they are there. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  collection,
  countRecords,
  errors,
  findEvent,
  getLedger,
  keptIn,
  LabelMonetaryAccount,
  LabelUser,
  ledgerParams,
  type Params,
  recordTimes,
  timesOf,
  userParams,
} from "../../book/index.ts";
import { getKnownUser, labelled, yearOf } from "../../money/index.ts";
import { OverviewKept } from "../domain/content.ts";
import { contentOf } from "../makers.ts";
import { LINES_MAX, STATEMENT_FORMATS, type StatementBody, StatementKept } from "../statements.ts";
import { ledgerBefore } from "../store/statements.ts";
import {
  begin,
  contentAnswerOf,
  contentOperation,
  DOCUMENTS_MAX,
  getDocument,
  placeOfLedger,
  placeOfUser,
  regionalOf,
  remove,
  shownSpan,
  span,
  spanOf,
} from "./document-parts.ts";

const FIRST_YEAR = 1970;

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
      withPictures: given.include_attachment,
    } satisfies StatementBody);
  },
  async show(context, record) {
    const body = keptIn(StatementKept, record);
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
  types: ["text/csv", "text/plain", "application/xml", "application/pdf"],
  async read(context, params) {
    const place = { kind: STATEMENT, ...(await placeOfLedger(context, params)) };
    return contentAnswerOf(
      await contentOf(context, await getDocument(context, place, params.customerStatementID ?? 0)),
    );
  },
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
  async show(context, record) {
    const user = await getKnownUser(context.db, context.account, record.user_id);
    const { public_uuid: uuid, display_name, country } = user;
    return {
      ...timesOf(record),
      year: keptIn(OverviewKept, record).year,
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
  ...overviews,
  overviewContent,
  ...ribs,
  ribContent,
  ...eventStatements,
  eventStatementContent,
];
