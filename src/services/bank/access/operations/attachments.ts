/**
 * Pictures: private to a user, or public to all users who know their id. Avatars are made from public ones.
 */
import { Type } from "@sinclair/typebox";
import { Answer, media } from "#kernel/operation";
import {
  type AttachmentRow,
  type BankContext,
  BareId,
  callerOf,
  errors,
  getLedger,
  Image,
  itemParams,
  ledgerParams,
  operation,
  requireUser,
  takeId,
  timeText,
  userParams,
} from "../../book/index.ts";
import {
  countAttachments,
  countAvatars,
  findAttachment,
  findAvatar,
  insertAttachment,
  insertAvatar,
} from "../../money/index.ts";
import { PICTURE_TYPES, readPicture } from "../domain/pictures.ts";

const BYTES_MAX = 10 * 1024 * 1024;
const DESCRIPTION_MAX = 500;
const ATTACHMENTS_MAX = 10_000;
const AVATARS_MAX = 1000;
const IMAGES_MAX = 10;

const Attachment = Type.Object({
  description: Type.String(),
  content_type: Type.String(),
  urls: Type.Array(Type.Object({ type: Type.String(), url: Type.String() })),
});
const Bytes = Type.Uint8Array({ description: "The picture itself." });
/** The maker names public things by their UUIDs, the contract by numbers: both lead there. */
const nameParams = {
  itemId: Type.String({
    minLength: 1,
    maxLength: 36,
    pattern: "^[0-9a-fA-F-]+$",
    description: "Its UUID or its number.",
    examples: ["2f1c1f7e-6a0b-4c57-9f0e-4a3f8a4e2d11"],
  }),
};
const NUMBER = /^\d{1,15}$/;
const namedBy = (text: string): number | string => (NUMBER.test(text) ? Number(text) : text.toLowerCase());

function descriptionIn({ request }: BankContext): string {
  const given = request.headers["x-vendor-attachment-description"];
  return typeof given === "string" ? given.slice(0, DESCRIPTION_MAX) : "";
}
/** Stores the bytes and their metadata. */
async function keep(
  context: BankContext,
  { ledgerId, isPublic }: { readonly ledgerId: number; readonly isPublic: boolean },
  bytes: Uint8Array,
): Promise<AttachmentRow> {
  const { db, account, clock, blobs, ids } = context;
  const picture = readPicture(bytes);
  if (!picture) throw errors.badRequest(`An attachment is one of ${PICTURE_TYPES.join(", ")}.`);
  const { userId } = callerOf(context);
  const id = await takeId(db, account);
  if ((await countAttachments(db, account, userId)) >= ATTACHMENTS_MAX)
    throw errors.badRequest(`A user has at most ${ATTACHMENTS_MAX} attachments.`);
  const blob = await blobs.put(bytes, picture.type);
  const row: AttachmentRow = {
    account,
    id,
    uuid: ids.uuid(),
    user_id: userId,
    ledger_id: ledgerId,
    is_public: isPublic ? 1 : 0,
    content_type: picture.type,
    width: picture.width,
    height: picture.height,
    description: descriptionIn(context),
    blob_id: blob.id,
    created_at: clock.nowMs(),
  };
  await insertAttachment(db, row);
  return row;
}
const viewOf = (row: AttachmentRow, url: string) => ({
  created: timeText(row.created_at),
  updated: timeText(row.created_at),
  attachment: {
    description: row.description,
    content_type: row.content_type,
    urls: [{ type: "ORIGINAL", url }],
  },
});
async function contentOf(
  { blobs }: BankContext,
  { blob_id, content_type }: AttachmentRow,
): Promise<Answer<Uint8Array>> {
  const bytes = await blobs.read(blob_id);
  if (!bytes) throw errors.notFound("The attachment is gone.");
  return new Answer(200, bytes, { "content-type": content_type, "x-content-type-options": "nosniff" });
}

const createAttachment = operation({
  id: "bank.CreateAttachment",
  summary: "Stores a picture with an account",
  description: "The body is the picture itself; X-Vendor-Attachment-Description says what it shows.",
  method: "POST",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/attachment",
  permission: "bank:CreateAttachment",
  wrapper: "Id",
  params: Type.Object(ledgerParams),
  bodyKinds: ["binary"],
  bodyBytesMax: BYTES_MAX,
  body: Bytes,
  answers: { 200: BareId },
  async handle({ params, body }, context) {
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID, "draft");
    const { id } = await keep(context, { ledgerId: ledger.id, isPublic: false }, body);
    return { id };
  },
});

async function getOwn(context: BankContext, userId: number, id: number): Promise<AttachmentRow> {
  requireUser(context, userId);
  const found = await findAttachment(context.db, context.account, id);
  if (found?.user_id !== userId) throw errors.notFound(`There is no attachment ${id}.`);
  return found;
}
const readAttachment = operation({
  id: "bank.ReadAttachment",
  summary: "Reads the description of an attachment",
  description:
    "Shows type, description and address of the content. Only the user who stored it can read it. `bank.ReadAttachmentContent` reads the picture itself.",
  method: "GET",
  path: "/user/{userID}/attachment/{itemId}",
  permission: "bank:ReadAttachment",
  wrapper: "AttachmentUser",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: {
    200: Type.Object({
      id: Type.Integer(),
      created: Type.String(),
      updated: Type.String(),
      attachment: Attachment,
    }),
  },
  async handle({ params }, context) {
    const row = await getOwn(context, params.userID, params.itemId);
    const url = `${context.request.mountUrl}/user/${params.userID}/attachment/${row.id}/content`;
    return { id: row.id, ...viewOf(row, url) };
  },
});
const attachmentParams = { attachmentID: Type.Integer({ minimum: 1 }) };
const readContent = operation({
  id: "bank.ReadAttachmentContent",
  summary: "Reads the bytes of an attachment",
  description:
    "The answer is the picture as it was stored, with its media type. Only the user who stored it can read it.",
  method: "GET",
  path: "/user/{userID}/attachment/{attachmentID}/content",
  permission: "bank:ReadAttachment",
  params: Type.Object({ ...userParams, ...attachmentParams }),
  answers: { 200: media(...PICTURE_TYPES) },
  handle: async ({ params }, context) =>
    contentOf(context, await getOwn(context, params.userID, params.attachmentID)),
});
const readLedgerContent = operation({
  id: "bank.ReadMonetaryAccountAttachmentContent",
  summary: "Reads the bytes of an attachment of an account",
  description:
    "Everybody who may view the account can read it, for example through a share. `bank.CreateAttachment` stores such a picture.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/attachment/{attachmentID}/content",
  permission: "bank:ReadAttachment",
  params: Type.Object({ ...ledgerParams, ...attachmentParams }),
  answers: { 200: media(...PICTURE_TYPES) },
  async handle({ params }, context) {
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID, "view");
    const found = await findAttachment(context.db, context.account, params.attachmentID);
    if (found?.ledger_id !== ledger.id)
      throw errors.notFound(`There is no attachment ${params.attachmentID}.`);
    return contentOf(context, found);
  },
});
const readConversationContent = operation({
  id: "bank.ReadConversationAttachmentContent",
  summary: "Reads the bytes of an attachment of a conversation",
  description: "A user has one conversation, with the bank: its number is the user's.",
  method: "GET",
  path: "/user/{userID}/chat-conversation/{chatConversationID}/attachment/{attachmentID}/content",
  permission: "bank:ReadAttachment",
  params: Type.Object({
    ...userParams,
    chatConversationID: Type.Integer({ minimum: 1 }),
    ...attachmentParams,
  }),
  answers: { 200: media(...PICTURE_TYPES) },
  async handle({ params }, context) {
    const { userID, chatConversationID, attachmentID } = params;
    if (chatConversationID !== userID)
      throw errors.notFound(`There is no conversation ${chatConversationID}.`);
    return contentOf(context, await getOwn(context, userID, attachmentID));
  },
});

const createPublic = operation({
  id: "bank.CreateAttachmentPublic",
  summary: "Stores a public picture, which every user can read by its id",
  description: "The body is the picture itself; X-Vendor-Attachment-Description says what it shows.",
  method: "POST",
  path: "/attachment-public",
  permission: "bank:CreateAttachment",
  bodyKinds: ["binary"],
  bodyBytesMax: BYTES_MAX,
  body: Bytes,
  answers: { 200: Type.Object({ Uuid: Type.Object({ uuid: Type.String() }), Id: BareId }) },
  async handle({ body }, context) {
    const { id, uuid } = await keep(context, { ledgerId: 0, isPublic: true }, body);
    return { Uuid: { uuid }, Id: { id } };
  },
});
async function getPublic({ db, account }: BankContext, name: string): Promise<AttachmentRow> {
  const found = await findAttachment(db, account, namedBy(name));
  if (found?.is_public !== 1) throw errors.notFound(`There is no public attachment ${name}.`);
  return found;
}
const readPublic = operation({
  id: "bank.ReadAttachmentPublic",
  summary: "Reads the description of a public attachment",
  description:
    "Every user of the bank can read it by UUID or by number. `bank.ReadAttachmentPublicContent` reads the picture itself.",
  method: "GET",
  path: "/attachment-public/{itemId}",
  permission: "bank:ReadAttachment",
  wrapper: "AttachmentPublic",
  params: Type.Object(nameParams),
  answers: {
    200: Type.Object({
      uuid: Type.String(),
      created: Type.String(),
      updated: Type.String(),
      attachment: Attachment,
    }),
  },
  async handle({ params }, context) {
    const row = await getPublic(context, params.itemId);
    const url = `${context.request.mountUrl}/attachment-public/${row.uuid}/content`;
    return { uuid: row.uuid, ...viewOf(row, url) };
  },
});
const readPublicContent = operation({
  id: "bank.ReadAttachmentPublicContent",
  summary: "Reads the bytes of a public attachment",
  description:
    "The answer is the picture as it was stored, with its media type. `bank.CreateAttachmentPublic` stores one.",
  method: "GET",
  path: "/attachment-public/{attachmentPublicUUID}/content",
  permission: "bank:ReadAttachment",
  params: Type.Object({ attachmentPublicUUID: nameParams.itemId }),
  answers: { 200: media(...PICTURE_TYPES) },
  handle: async ({ params }, context) =>
    contentOf(context, await getPublic(context, params.attachmentPublicUUID)),
});

const uuidText = (): ReturnType<typeof Type.String> => Type.String({ minLength: 1, maxLength: 36 });
const createAvatar = operation({
  id: "bank.CreateAvatar",
  summary: "Makes an avatar of public attachments",
  description: `Takes up to ${IMAGES_MAX} pictures that \`bank.CreateAttachmentPublic\` stored. Users and accounts refer to the avatar by its UUID. A user has at most ${AVATARS_MAX} avatars.`,
  method: "POST",
  path: "/avatar",
  permission: "bank:CreateAvatar",
  wrapper: "Uuid",
  body: Type.Object({
    uuid: Type.Optional(uuidText()),
    anchor_uuid: Type.Optional(uuidText()),
    image: Type.Optional(
      Type.Array(Type.Object({ attachment_public_uuid: uuidText() }), { maxItems: IMAGES_MAX }),
    ),
    /** The maker's clients name one picture alone. */
    attachment_public_uuid: Type.Optional(uuidText()),
    style: Type.Optional(Type.String({ maxLength: 50 })),
  }),
  answers: { 200: Type.Object({ uuid: Type.String() }) },
  async handle({ body }, context) {
    const { db, account, ids, clock } = context;
    const { userId } = callerOf(context);
    const id = await takeId(db, account);
    if ((await countAvatars(db, account, userId)) >= AVATARS_MAX)
      throw errors.badRequest(`A user has at most ${AVATARS_MAX} avatars.`);
    const named = [
      ...(body.image ?? []).map(({ attachment_public_uuid }) => attachment_public_uuid),
      ...(body.attachment_public_uuid === undefined ? [] : [body.attachment_public_uuid]),
    ];
    const images = [];
    for (const name of named) {
      const found = await findAttachment(db, account, namedBy(name));
      if (found?.is_public !== 1) throw errors.badRequest(`There is no public attachment ${name}.`);
      images.push({
        attachment_public_uuid: found.uuid,
        content_type: found.content_type,
        height: found.height,
        width: found.width,
      });
    }
    const uuid = ids.uuid();
    await insertAvatar(db, {
      account,
      id,
      uuid,
      user_id: userId,
      anchor_uuid: body.anchor_uuid ?? "",
      style: body.style ?? "",
      images: JSON.stringify(images),
      created_at: clock.nowMs(),
    });
    return { uuid };
  },
});
const readAvatar = operation({
  id: "bank.ReadAvatar",
  summary: "Reads an avatar",
  description:
    "Every user of the bank can read it by UUID or by number. Each image names its public attachment, its type and its size in pixels.",
  method: "GET",
  path: "/avatar/{itemId}",
  permission: "bank:ReadAvatar",
  wrapper: "Avatar",
  params: Type.Object(nameParams),
  answers: { 200: Type.Object({ uuid: Type.String(), image: Type.Array(Image) }) },
  async handle({ params }, { db, account }) {
    const avatar = await findAvatar(db, account, namedBy(params.itemId));
    if (!avatar) throw errors.notFound(`There is no avatar ${params.itemId}.`);
    return { uuid: avatar.uuid, image: JSON.parse(avatar.images) };
  },
});

export const attachmentOperations = [
  createAttachment,
  readAttachment,
  readContent,
  readLedgerContent,
  readConversationContent,
  createPublic,
  readPublic,
  readPublicContent,
  createAvatar,
  readAvatar,
];
