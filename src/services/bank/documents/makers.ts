/** Documents of all kinds, each made once by a job and kept. */
import { type BankContext, errors, findRecordById, getKind, type RecordRow } from "../book/index.ts";
import type { Made } from "../money/index.ts";
import { makeAnnualOverview, makeEventStatement, makeInvoicePdf, makeRib } from "./others.ts";
import { makeCardStatement, makeStatement } from "./statements.ts";

async function makeInvoiceExport(context: BankContext, { owner_id }: RecordRow): Promise<Made> {
  const invoice = await findRecordById(context.db, context.account, "invoice", owner_id);
  if (!invoice) throw new Error(`the invoice ${owner_id} is gone`);
  return makeInvoicePdf(context, invoice);
}
export const makers: Readonly<Record<string, (context: BankContext, record: RecordRow) => Promise<Made>>> = {
  "customer-statement": makeStatement,
  "export-statement-card-csv": makeCardStatement,
  "export-statement-card-pdf": makeCardStatement,
  "export-annual-overview": makeAnnualOverview,
  "export-rib": makeRib,
  statement: makeEventStatement,
  invoice: makeInvoicePdf,
  "invoice-export": makeInvoiceExport,
};

type Kept = { readonly blobId?: string | null };
/** The content of a finished document. Throws if it is not finished yet. */
export async function contentOf({ blobs }: BankContext, record: RecordRow): Promise<Made> {
  const { blobId } = getKind(record.kind).read(record.body) as Kept;
  const blob = blobId ? await blobs.find(blobId) : undefined;
  const bytes = blob && (await blobs.read(blob.id));
  if (!blob || !bytes) throw errors.notFound("The document is not made yet: ask again in a moment.");
  return { bytes, type: blob.type };
}
export async function forgetContent({ blobs }: BankContext, record: RecordRow): Promise<void> {
  const { blobId } = getKind(record.kind).read(record.body) as Kept;
  if (blobId) await blobs.remove(blobId);
}
