/** Notes and pictures that people put on things of twenty kinds. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  callerOf,
  collection,
  errors,
  findRecord,
  getLedger,
  keptIn,
  LabelUser,
  ledgerParams,
  type RecordRow,
  recordKind,
  recordTimes,
  timesOf,
} from "../../book/index.ts";
import { findAttachment, findPayment, getKnownUser, labelOfUser } from "../../money/index.ts";
import { WHITELIST_KINDS } from "../../requests/index.ts";

const NOTES_MAX = 100;
const ALL = ["create", "list", "read", "update", "delete"] as const;
const LEDGER = "/user/{userID}/monetary-account/{monetaryAccountID}";

/** Record kinds below an account that can have notes. Where a kind is nested, the parent comes first. */
const SUBJECTS: readonly (readonly string[])[] = [
  ["adyen-card-transaction"],
  ["switch-service-payment"],
  ["vendorme-fundraiser-result"],
  ["draft-payment"],
  ["ideal-merchant-transaction"],
  ["mastercard-action"],
  ["open-banking-merchant-transaction"],
  ["payment-batch"],
  ["payment-delayed"],
  ["payment"],
  ["request-inquiry-batch"],
  ["request-inquiry"],
  ["request-response"],
  ["schedule", "schedule-instance"],
  ["schedule-payment-batch"],
  ["schedule-payment"],
  ["schedule-request-inquiry-batch"],
  ["schedule-request-inquiry"],
  ["sofort-merchant-transaction"],
  ["whitelist", "whitelist-result"],
];

const capitalised = (kind: string): string =>
  kind.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const parameterOf = (kind: string): string =>
  `${capitalised(kind).replace(/^[A-Z]/, (first) => first.toLowerCase())}ID`;

/** Kinds that are stored under another name. */
const KEPT_AS: Readonly<Record<string, readonly string[]>> = {
  "vendorme-fundraiser-result": ["vendorme-fundraiser-profile"],
  whitelist: WHITELIST_KINDS,
};
/** A whitelist belongs to its user, not to the account that pays. */
const placeOfSubject = (kind: string, userId: number, ownerId: number) => ({
  kind: KEPT_AS[kind] ?? kind,
  userId,
  ...(kind !== "whitelist" && { ownerId }),
});
/** Throws if the caller has no such record. */
async function requireSubject(
  context: BankContext,
  userId: number,
  ledgerId: number,
  subject: readonly string[],
  ids: readonly number[],
): Promise<void> {
  let ownerId = ledgerId;
  for (const [at, kind] of subject.entries()) {
    const id = ids[at] ?? 0;
    const found =
      kind === "payment"
        ? await findPayment(context.db, context.account, ledgerId, id)
        : await findRecord(context.db, context.account, placeOfSubject(kind, userId, ownerId), id);
    if (!found) throw errors.notFound(`There is no ${kind} ${id}.`);
    ownerId = id;
  }
}

function placesOf(subject: readonly string[]) {
  const names = subject.map(parameterOf);
  return {
    path: LEDGER + subject.map((kind, at) => `/${kind}/{${names[at]}}`).join(""),
    params: {
      ...ledgerParams,
      ...Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 1 })])),
    },
    async placeOf(context: BankContext, params: Readonly<Record<string, number>>) {
      const { userID = 0, monetaryAccountID = 0 } = params;
      await getLedger(context, userID, monetaryAccountID);
      const ids = names.map((name) => params[name] ?? 0);
      await requireSubject(context, userID, monetaryAccountID, subject, ids);
      return { userId: userID, ownerId: ids.at(-1) ?? 0 };
    },
  };
}

const creatorOf = async ({ db, account }: BankContext, { user_id }: RecordRow) =>
  labelOfUser(await getKnownUser(db, account, user_id));

const TextBody = { content: Type.String({ minLength: 1, maxLength: 5000 }) };
const TextKept = recordKind(
  SUBJECTS.map((subject) => `note-text/${subject.at(-1)}`),
  Type.Object({ content: Type.String() }),
);
const textNotes = (subject: readonly string[]) => {
  const { path, params, placeOf } = placesOf(subject);
  const kind = subject.at(-1) ?? "";
  return collection({
    kind: `note-text/${kind}`,
    name: `NoteText${capitalised(kind)}`,
    noun: "note",
    path: `${path}/note-text`,
    params,
    wrapper: "NoteText",
    methods: ALL,
    countMax: NOTES_MAX,
    given: TextBody,
    changed: TextBody,
    shown: { ...recordTimes, label_user_creator: LabelUser, content: Type.String() },
    placeOf,
    show: async (context, record) => ({
      ...timesOf(record),
      label_user_creator: await creatorOf(context, record),
      content: keptIn(TextKept, record).content,
    }),
  });
};

async function requireAttachment(context: BankContext, id: number): Promise<void> {
  const found = await findAttachment(context.db, context.account, id);
  if (found?.user_id !== callerOf(context).userId) throw errors.badRequest(`There is no attachment ${id}.`);
}
const AttachmentKept = recordKind(
  SUBJECTS.map((subject) => `note-attachment/${subject.at(-1)}`),
  Type.Object({
    description: Type.String(),
    attachment_id: Type.Number(),
    monetaryAccountID: Type.Optional(Type.Number()),
  }),
);
const attachmentNotes = (subject: readonly string[]) => {
  const { path, params, placeOf } = placesOf(subject);
  const kind = subject.at(-1) ?? "";
  return collection({
    kind: `note-attachment/${kind}`,
    name: `NoteAttachment${capitalised(kind)}`,
    noun: "note",
    path: `${path}/note-attachment`,
    params,
    wrapper: "NoteAttachment",
    methods: ALL,
    countMax: NOTES_MAX,
    given: {
      description: Type.Optional(Type.String({ maxLength: 500 })),
      attachment_id: Type.Integer({ minimum: 1 }),
    },
    changed: { description: Type.Optional(Type.String({ maxLength: 500 })) },
    shown: {
      ...recordTimes,
      label_user_creator: LabelUser,
      description: Type.String(),
      attachment: Type.Array(Type.Object({ id: Type.Integer(), monetary_account_id: Type.Integer() })),
    },
    placeOf,
    async make(context, { description = "", attachment_id }, { monetaryAccountID }) {
      await requireAttachment(context, attachment_id);
      return { body: { description, attachment_id, monetaryAccountID } };
    },
    async show(context, record) {
      const { description, attachment_id, monetaryAccountID = 0 } = keptIn(AttachmentKept, record);
      return {
        ...timesOf(record),
        label_user_creator: await creatorOf(context, record),
        description,
        attachment: [{ id: attachment_id, monetary_account_id: monetaryAccountID }],
      };
    },
  });
};

export const noteOperations = SUBJECTS.flatMap((subject) => [
  ...textNotes(subject),
  ...attachmentNotes(subject),
]);
