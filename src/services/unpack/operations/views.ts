/** Response form of reports: addresses in hex, member names as clients expect them. */
import type { Static } from "@sinclair/typebox";
import type { Report } from "../unpacking/outcome.ts";
import type * as wire from "../wire.ts";
import type { Analysis } from "./upload.ts";

type ApiCall = Report["calls"][number];

const hex = (value: number): string => `0x${(value < 0 ? value >>> 0 : value).toString(16)}`;

export function reportViewOf(analysis: Analysis): Static<typeof wire.ReportView> {
  const { report, file, unpacked, tookMs, isCached } = analysis;
  return {
    verdict: report.verdict,
    reason: report.reason,
    file,
    ...(unpacked && { unpacked: { name: unpacked.name, size: unpacked.size, sha256: unpacked.sha256 } }),
    ...(report.packer && { packer: { name: report.packer.name, marks: [...report.packer.marks] } }),
    base: hex(report.base),
    entry_point: hex(report.entryPoint),
    ...(report.originalEntryPoint !== undefined && { original_entry_point: hex(report.originalEntryPoint) }),
    layers: report.layers.map(({ address, place, from, instructions }) => ({
      address: hex(address),
      place,
      from,
      instructions,
    })),
    imports: report.imports.map(({ library, address, functions }) => ({
      library,
      address: hex(address),
      functions: [...functions],
    })),
    // Reports stored by earlier releases lack this member.
    unbound_imports: (report.unboundImports ?? []).map(({ address, target }) => ({
      address: hex(address),
      target: hex(target),
    })),
    sections: report.sections.map((section) => ({
      name: section.name,
      address: hex(section.address),
      size: section.bytes,
      file_size: section.fileBytes,
      is_executable: section.isExecutable,
      is_writable: section.isWritable,
      entropy_before: section.entropyBefore,
      entropy_after: section.entropyAfter,
    })),
    instructions: report.instructions,
    memory_bytes: report.memoryBytes,
    api_calls: report.calls.length + report.callsLeftOut,
    seconds: tookMs / 1000,
    is_cached: isCached,
  };
}

const callLineOf = ({ library, name, given, result, caller, isModelled }: ApiCall): string =>
  `${hex(caller)} ${library}!${name}(${given.join(", ")})${result === undefined ? "" : ` = ${result}`}${isModelled ? "" : " (not modelled)"}`;

/** Events and calls in order of time, then the written strings. */
function linesOf({ calls, callsLeftOut, events, strings }: Report): string[] {
  const lines = [
    ...events.map((event) => ({
      at: event.instructions,
      line: `${hex(event.address)} [${event.kind}] ${event.text}`,
    })),
    ...calls.map((call) => ({ at: call.instructions, line: callLineOf(call) })),
  ].sort((a, b) => a.at - b.at);
  return [
    ...lines.map(({ line }) => line),
    ...(callsLeftOut > 0 ? [`… and ${callsLeftOut} more calls`] : []),
    ...strings.map(
      ({ address, text, isWide }) => `${hex(address)} [string] ${isWide ? "L" : ""}${JSON.stringify(text)}`,
    ),
  ];
}
export function emulationViewOf({ report }: Analysis): Static<typeof wire.EmulationView> {
  return {
    output: linesOf(report),
    verdict: report.verdict,
    reason: report.reason,
    calls: report.calls.map((call) => ({
      library: call.library,
      name: call.name,
      arguments: [...call.given],
      ...(call.result !== undefined && { result: call.result }),
      caller: hex(call.caller),
      instructions: call.instructions,
      is_modelled: call.isModelled,
    })),
    calls_left_out: report.callsLeftOut,
    events: report.events.map(({ kind, text, address, instructions }) => ({
      kind,
      text,
      address: hex(address),
      instructions,
    })),
    strings: report.strings.map(({ address, text, isWide }) => ({
      address: hex(address),
      text,
      is_wide: isWide,
    })),
  };
}
