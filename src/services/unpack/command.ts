/**
 * `medley unpack`: emulates an executable in this process, without a server. The executable never runs
 * natively.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { type CommandInput, FailedError, UsageError } from "#kernel/manifest";
import { ServiceError } from "#kernel/operation";
import { FILE_BYTES_MAX } from "./domain/keeping.ts";
import type { Report } from "./unpacking/outcome.ts";
import { createLaboratory, type Emulated } from "./workers/index.ts";

const HERE = { name: "here", isKnown: true };
const BAR_WIDTH = 16;
const ENTROPY_MAX = 8;

const hex = (value: number): string => `0x${value.toString(16)}`;
const bar = (entropy: number): string =>
  "#".repeat(Math.round((entropy / ENTROPY_MAX) * BAR_WIDTH)).padEnd(BAR_WIDTH, ".");

const told = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const VERDICTS = {
  unpacked: "unpacked",
  plain: "not packed",
  stopped: "could not be unpacked",
} as const;

function linesOf(file: string, { report, tookMs }: Emulated): string[] {
  const { verdict, packer, reason, base, originalEntryPoint, sections, layers, imports, instructions } =
    report;
  const functions = imports.reduce((sum, one) => sum + one.functions.length, 0);
  return [
    `${file}: ${VERDICTS[verdict]}${packer ? `, packed with ${packer.name}` : ""}`,
    `  ${reason}`,
    `  ${told(instructions, "instruction")} in ${(tookMs / 1000).toFixed(2)} s, ${told(layers.length, "layer")}, ${told(functions, "import")}`,
    ...(originalEntryPoint === undefined ? [] : [`  begins at ${hex(base + originalEntryPoint)}`]),
    ...sectionLinesOf(sections),
  ];
}
const sectionLinesOf = (sections: Report["sections"]): string[] =>
  sections.map(
    ({ name, entropyBefore, entropyAfter }) =>
      `  ${name.padEnd(8)} entropy ${entropyBefore.toFixed(2)} ${bar(entropyBefore)} -> ${entropyAfter.toFixed(2)} ${bar(entropyAfter)}`,
  );

async function emulate(file: string, content: Buffer): Promise<Emulated> {
  const laboratory = createLaboratory();
  try {
    return await laboratory.emulate(HERE, createHash("sha256").update(content).digest("hex"), content);
  } catch (error) {
    if (error instanceof ServiceError) throw new FailedError(`${file}: ${error.message}`);
    throw error;
  } finally {
    await laboratory.close();
  }
}
async function readExecutable(file: string): Promise<Buffer> {
  const content = await readFile(file).catch((error: Error) => {
    throw new FailedError(`${file} cannot be read: ${error.message}`);
  });
  if (content.length > FILE_BYTES_MAX)
    throw new FailedError(`${file} is larger than ${FILE_BYTES_MAX} bytes`);
  return content;
}

export async function run({ words, text, has }: CommandInput): Promise<number> {
  const [file] = words;
  if (file === undefined) throw new UsageError("say: medley unpack FILE -o OUT");
  const content = await readExecutable(file);
  const emulated = await emulate(file, content);
  const { verdict, report } = emulated;
  process.stdout.write(
    has("json") ? `${JSON.stringify(report, undefined, 2)}\n` : `${linesOf(file, emulated).join("\n")}\n`,
  );
  if (verdict === "stopped") return 1;
  const out = text("o");
  if (out !== undefined)
    await writeFile(out, emulated.content ?? content).catch((error: Error) => {
      throw new FailedError(`${out} cannot be written: ${error.message}`);
    });
  return 0;
}
