/** Card statements, as a table or on paper. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  collection,
  errors,
  findRecordById,
  itemParams,
  keptIn,
  ListQuery,
  listOf,
  operation,
  type Params,
  pageOfRecords,
  type RecordRow,
  recordTimes,
  timesOf,
  userParams,
} from "../../book/index.ts";
import { contentOf } from "../makers.ts";
import { type StatementBody, StatementKept } from "../statements.ts";
import {
  begin,
  contentAnswerOf,
  contentOperation,
  DOCUMENTS_MAX,
  placeOfCard,
  regionalOf,
  remove,
  shownSpan,
  span,
  spanOf,
} from "./document-parts.ts";

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
  const body = keptIn(StatementKept, record);
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
/** Statements of both formats in one list. */
const listCardStatements = operation({
  id: "bank.ListExportStatementCards",
  summary: "Lists each statement of a card, the newest first",
  description:
    "Includes statements as CSV and as PDF. They are created with `bank.CreateExportStatementCardCsv` and `bank.CreateExportStatementCardPdf`.",
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
  description:
    "Finds a CSV or a PDF by id. It is made by a job: once its status is COMPLETED, `bank.ReadExportStatementCardContent` returns the file.",
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

export const cardStatementOperations = [
  ...cardStatements("CSV"),
  ...cardStatements("PDF"),
  listCardStatements,
  readCardStatement,
  cardStatementContent,
];
