/** Unpack analysis: the emulator on a fixed set of loops, rules and texts, by processor time, so that a busy machine tells the same. */

import { rankedOf } from "../../dist/services/unpack/domain/ranking.js";
import { stringsOf } from "../../dist/services/unpack/domain/strings.js";
import { makePackedExecutable } from "../../dist/services/unpack/seed/packed-sample.js";
import { DEFAULT_BUDGET } from "../../dist/services/unpack/unpacking/outcome.js";
import { unpackExecutable } from "../../dist/services/unpack/unpacking/unpack.js";
import { applyRules } from "../../dist/services/unpack/workers/yara.js";
import { apiKey } from "../load.mjs";

const MEGABYTE = 1024 * 1024;
const SCANNED_MEGABYTES = 16;
const TURNS = 1_500_000;

const long = (value) => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
/** What unpackers do all day, as the stub of a packed program: each goes round so many times before it unpacks. */
const LOOPS = {
  // add eax, ecx; rol eax, 3; xor eax, 0x5a5a5a5a; dec ecx; jnz
  arithmetic: [
    0xb9,
    ...long(TURNS),
    0x01,
    0xc8,
    0xc1,
    0xc0,
    0x03,
    0x35,
    ...long(0x5a5a5a5a),
    0x49,
    0x75,
    0xf3,
  ],
  // mov edi, esp; mov eax, [edi-16]; add eax, ecx; mov [edi-16], eax; dec ecx; jnz
  memory: [
    0xb9,
    ...long(TURNS),
    0x8b,
    0xfc,
    0x8b,
    0x47,
    0xf0,
    0x01,
    0xc8,
    0x89,
    0x47,
    0xf0,
    0x49,
    0x75,
    0xf3,
  ],
  // push ecx; pop eax; test al, 1; jz +1; nop; dec ecx; jnz
  branches: [0xb9, ...long(TURNS), 0x51, 0x58, 0xa8, 0x01, 0x74, 0x01, 0x90, 0x49, 0x75, 0xf6],
};

function processorSeconds(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1_000_000, result };
}
/** The best of three: others on the machine take caches away. */
function bestOf(work) {
  const runs = [1, 2, 3].map(() => processorSeconds(work));
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
}

function emulatorLine([name, loop]) {
  const content = makePackedExecutable({ prologue: loop });
  const { seconds, result } = bestOf(() => unpackExecutable(content, DEFAULT_BUDGET));
  const idle = bestOf(() => unpackExecutable(makePackedExecutable(), DEFAULT_BUDGET));
  const counted = result.report.instructions - idle.result.report.instructions;
  const perSecond = counted / (seconds - idle.seconds) / 1_000_000;
  return {
    line: `unpack: emulated instructions, ${name}`,
    value: `${perSecond.toFixed(1)} million/s`,
    measured: perSecond,
    atLeast: 8,
  };
}

/** Neither zeros nor noise: code and texts of a program, changed a little each time. */
function someBytes() {
  const program = unpackExecutable(makePackedExecutable(), DEFAULT_BUDGET).content;
  const bytes = Buffer.alloc(SCANNED_MEGABYTES * MEGABYTE);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = program[at % program.length] ^ ((at >>> 14) & 0x1f);
  return bytes;
}
const RULES = Array.from(
  { length: 10 },
  (_, index) =>
    String.raw`rule bench_${index} { strings: $a = "watering ${index}" $b = { 8b 4${index} ?? 33 c0 [2-6] e8 } $c = /https?:\/\/[a-z]{3,20}\.example\/${index}/ condition: any of them }`,
);

const READS = 400;
const SENT_TOGETHER = 4;
const middleOf = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
/** How long another service's reads take, one after the other: the middle. */
async function readsMs(product) {
  const taken = [];
  while (taken.length < READS) {
    const began = performance.now();
    const answer = await fetch(`${product.url}/braille/tables`, {
      headers: { "x-vendor-api-secret": apiKey },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a read was answered ${answer.status}`);
    taken.push(performance.now() - began);
  }
  return middleOf(taken);
}
/** Others' reads beside executables that keep every thread of the emulator busy, against the same reads without them. */
async function besideLines(product) {
  let [number, isOver] = [0, false];
  const send = async () => {
    number += 1;
    const turns = long(TURNS * 4 + number);
    const form = new FormData();
    form.append(
      "file",
      new Blob([makePackedExecutable({ prologue: [0xb9, ...turns, 0xe2, 0xfe] })]),
      "busy.exe",
    );
    const answer = await fetch(`${product.url}/unpack/v1/unpack`, { method: "POST", body: form });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`an executable was answered ${answer.status}`);
  };
  await send();
  const alone = await readsMs(product);
  await product.longestTurnMs();
  const busy = Array.from({ length: SENT_TOGETHER }, async () => {
    while (!isOver) await send();
  });
  const beside = await readsMs(product);
  const longestTurnMs = await product.longestTurnMs();
  isOver = true;
  await Promise.all(busy);
  return [
    {
      line: `unpack: a read of another service while ${SENT_TOGETHER} executables at a time are emulated, middle of ${READS}`,
      value: `${beside.toFixed(2)} ms, alone ${alone.toFixed(2)} ms (${number} executables)`,
    },
    { line: "unpack: longest turn of the main thread meanwhile", value: `${longestTurnMs.toFixed(1)} ms` },
  ];
}

export async function unpackLines({ product }) {
  const bytes = someBytes();
  const problems = applyRules(bytes.subarray(0, MEGABYTE), RULES).rules.flatMap(({ errors }) => errors);
  if (problems.length > 0) throw new Error(problems[0]);
  const rules = SCANNED_MEGABYTES / bestOf(() => applyRules(bytes, RULES)).seconds;
  const ranges = [{ name: "all", start: 0, end: bytes.length }];
  const texts = bestOf(() =>
    rankedOf(stringsOf(bytes, ranges, { lengthMin: 4, ignored: new Set() }).strings),
  );
  return [
    ...Object.entries(LOOPS).map(emulatorLine),
    {
      line: "unpack: ten YARA rules compiled and applied to 16 MB",
      value: `${rules.toFixed(0)} MB/s`,
      measured: rules,
      atLeast: 30,
    },
    {
      line: "unpack: texts of 16 MB found and ranked",
      value: `${(SCANNED_MEGABYTES / texts.seconds).toFixed(0)} MB/s`,
    },
    ...(await besideLines(product)),
  ];
}
