/** Deletes all uploads and results. */
import { anyone, noBody } from "#kernel/operation";
import { NOBODY } from "../domain/keeping.ts";
import { deleteAll } from "../store.ts";
import { operation } from "./analysis.ts";

const clean = operation({
  id: "unpack.clean",
  summary: "Removes everything that is kept of uploaded files",
  description: "Reports and unpacked forms go at once; a day after they were made they go by themselves.",
  method: "HEAD",
  path: "/clean",
  permission: anyone,
  transaction: "write",
  answers: { 204: noBody },
  async handle(_input, { db }) {
    await deleteAll(db, NOBODY);
  },
});
export const cleanOperations = [clean];
