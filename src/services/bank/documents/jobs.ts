/** Makes documents: slow work, outside the transactions of others. */
import { jobsFor } from "#kernel/operation";
import { findRecordById, getKind, keptText, type State, type Tables, updateRecord } from "../book/index.ts";
import { documentWork } from "../money/index.ts";
import { forgetContent, makers } from "./makers.ts";

const makeDocument = jobsFor<Tables, State>()({
  ...documentWork,
  transaction: "manual",
  async run({ kind, id }, context) {
    const record = await findRecordById(context.db, context.account, kind, id);
    const make = makers[kind];
    if (!record || !make) return;
    const { bytes, type } = await make(context, record);
    await context.transact(async (inner) => {
      const current = await findRecordById(inner.db, inner.account, kind, id);
      if (!current) return;
      await forgetContent(inner, current);
      const blob = await inner.blobs.put(bytes, type);
      await updateRecord(inner.db, {
        ...current,
        status: current.status === "PENDING" ? "COMPLETED" : current.status,
        body: keptText(kind, { ...getKind(kind).read(current.body), blobId: blob.id }),
        updated_at: inner.clock.nowMs(),
      });
    });
  },
});
export const documentJobs = [makeDocument];
