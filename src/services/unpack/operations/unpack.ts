/** Unpacks an executable, and returns the log of an emulation. */
import { answer, anyone, finishedJson } from "#kernel/operation";
import { preferredOf } from "#kernel/protocols";
import { errors } from "../errors.ts";
import * as wire from "../wire.ts";
import { analyse, analyseFully, operation, TAKES_FILE } from "./analysis.ts";
import { type Analysis, uploadOf } from "./upload.ts";
import { emulationViewOf, reportViewOf } from "./views.ts";

const BYTES = "application/octet-stream";
const JSON_TYPE = "application/json";

function factsOf(analysis: Analysis): Record<string, string> {
  const { verdict, packer, original_entry_point, layers, imports, instructions, seconds, is_cached } =
    reportViewOf(analysis);
  return {
    "x-unpack-verdict": verdict,
    ...(packer && { "x-unpack-packer": packer.name }),
    ...(original_entry_point !== undefined && { "x-unpack-entry-point": original_entry_point }),
    "x-unpack-layers": String(layers.length),
    ...(analysis.unpacked && {
      "x-unpack-imports": String(imports.reduce((sum, { functions }) => sum + functions.length, 0)),
    }),
    "x-unpack-instructions": String(instructions),
    "x-unpack-seconds": String(seconds),
    "x-unpack-cache": is_cached ? "hit" : "miss",
  };
}

const unpackFile = operation({
  ...TAKES_FILE,
  id: "unpack.unpack",
  summary: "Unpacks an executable",
  description:
    "Returns the rebuilt executable, with facts in headers that begin with X-Unpack, or the report with `Accept: application/json`. A file that is not packed is returned unchanged. The file may have 16 MB; it is emulated for up to 280 seconds, and never executed. The result is cached by hash for a day. 400 with the report if it cannot be unpacked.",
  method: "POST",
  path: "/unpack",
  permission: anyone,
  body: wire.FileForm,
  answers: { 200: finishedJson(wire.ReportView, BYTES) },
  errors: [errors.brokenFile, errors.notUnpacked, errors.notAFile],
  async handle({ body }, context) {
    const upload = await uploadOf(body.file);
    const analysis = await analyseFully(context, upload);
    const facts = factsOf(analysis);
    const { accept } = context.request.headers;
    if (preferredOf(Array.isArray(accept) ? accept.join() : accept, [BYTES, JSON_TYPE]) === JSON_TYPE)
      return answer(200, JSON.stringify(reportViewOf(analysis)), { ...facts, "content-type": JSON_TYPE });
    const { bytes, name, sha256 } = analysis.unpacked ?? upload;
    return answer(200, bytes, {
      ...facts,
      "content-type": BYTES,
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "x-unpack-sha256": sha256,
    });
  },
});

const emulationOutput = operation({
  ...TAKES_FILE,
  id: "unpack.emulation-output",
  summary: "Returns what an executable does while it unpacks itself",
  description:
    "System calls with arguments and results, notable events and written texts, also of an executable that could not be unpacked. Uses the same cached emulation as `unpack.unpack`.",
  method: "POST",
  path: "/emulation-output",
  permission: anyone,
  body: wire.FileForm,
  answers: { 200: wire.EmulationView },
  errors: [errors.brokenFile, errors.notAFile],
  handle: async ({ body }, context) => emulationViewOf(await analyse(context, await uploadOf(body.file))),
});

export const unpackOperations = [unpackFile, emulationOutput];
