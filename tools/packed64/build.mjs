/**
 * Makes samples of 64-bit executables: `npm run build`, then `node tools/packed64/build.mjs FOLDER [upx]`. It needs Debian's
 * g++-mingw-w64-x86-64 and upx-ucl. FOLDER gets the programs in `original`, and a folder for each way of packing them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "./packer.mjs";

const [folder, upx = "upx"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("say: node tools/packed64/build.mjs FOLDER [upx]");
  process.exit(2);
}
const programs = new URL("programs/", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "packed64-"));
const PREFIX = "x86_64-w64-mingw32-";
const run = (tool, ...words) => execFileSync(`${PREFIX}${tool}`, words, { cwd: programs, stdio: "inherit" });

/** Large tables of numbers and of texts: the same ones every time. */
function writeTables(file) {
  let state = 5;
  const roll = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 12;
  };
  const numbers = Array.from({ length: 20_000 }, roll).join(",");
  const words = Array.from({ length: 2_000 }, (_, i) => `"word${i}-${roll().toString(16)}"`).join(",");
  writeFileSync(
    file,
    `#include <stdio.h>
static const unsigned table[] = {${numbers}};
static const char *const words[] = {${words}};
static unsigned char room[1 << 20];
int main(void) {
  unsigned long long sum = 0;
  for (int i = 0; i < 20000; i++) sum = sum * 31 + table[i], room[table[i]]++;
  for (int i = 0; i < 2000; i++) sum ^= (unsigned char)words[i][5];
  printf("%llx\\n", sum);
  return 0;
}
`,
  );
}
function compile(out) {
  const tables = join(scratch, "tables.c");
  const resources = join(scratch, "resources.o");
  writeTables(tables);
  run("windres", "resources.rc", "-O", "coff", "-o", resources);
  const to = (name) => ["-s", "-o", join(out, name)];
  run("gcc", "-O2", "hello.c", ...to("hello.exe"));
  run("gcc", "-O2", "-shared", "library.c", ...to("library.dll"));
  run("g++", "-O2", "-static", "exceptions.cpp", ...to("exceptions.exe"));
  run("gcc", "-O2", "threads.c", ...to("threads.exe"));
  run("gcc", "-O2", "-mwindows", "window.c", ...to("window.exe"), "-lgdi32");
  run("gcc", "-O2", "resources.c", resources, ...to("resources.exe"));
  run("gcc", "-O1", tables, ...to("tables.exe"));
  run("gcc", "-O2", "sorting.c", ...to("sorting.exe"), "-lm");
  run("gcc", "-O2", "-municode", "files.c", ...to("files.exe"));
  const fixed = ["-nostdlib", "-Wl,-e,start", "-Wl,--disable-dynamicbase"];
  run("gcc", "-Os", ...fixed, "bare.c", ...to("bare.exe"), "-lkernel32", "-luser32");
  run("gcc", "-Os", "-shared", "-nostdlib", "-Wl,-e,begin", "beds.c", ...to("beds.dll"), "-lkernel32");
}
const hashOf = (name) =>
  [...Buffer.from(name)].reduce((hash, byte) => (Math.imul(hash, 33) ^ byte) >>> 0, 5381);
const HASHES = {
  KERNEL32: "kernel32.dll",
  LOAD_LIBRARY: "LoadLibraryA",
  GET_PROC_ADDRESS: "GetProcAddress",
  VIRTUAL_PROTECT: "VirtualProtect",
};
function compileStub() {
  const [object, code] = [join(scratch, "stub.o"), join(scratch, "stub.bin")];
  const hashes = Object.entries(HASHES).map(([name, text]) => `-D${name}=${hashOf(text)}u`);
  const options = [
    "-O2",
    "-ffreestanding",
    "-fno-asynchronous-unwind-tables",
    "-fno-tree-loop-distribute-patterns",
  ];
  run("gcc", ...options, ...hashes, "-c", "../stub.c", "-o", object);
  run("objcopy", "-O", "binary", "-j", ".text", object, code);
  return readFileSync(code);
}

const WAYS = {
  "upx-nrv2b": ["--nrv2b"],
  "upx-nrv2d": ["--nrv2d"],
  "upx-nrv2e": ["--nrv2e"],
  "upx-lzma": ["--lzma"],
  "upx-nrv2e-no-filter": ["--nrv2e", "--filter=0"],
  "upx-lzma-no-filter": ["--lzma", "--filter=0"],
  "upx-all-filters": ["--nrv2b", "--all-filters"],
  "upx-no-relocations": ["--nrv2e", "--strip-relocs=1"],
  "upx-kept": ["--best", "--compress-exports=0", "--compress-resources=0", "--strip-relocs=0"],
  "upx-ultra-brute": ["--ultra-brute"],
};
const original = join(folder, "original");
mkdirSync(original, { recursive: true });
try {
  compile(original);
  const stub = compileStub();
  mkdirSync(join(folder, "own"), { recursive: true });
  for (const name of readdirSync(original)) {
    writeFileSync(join(folder, "own", name), pack(readFileSync(join(original, name)), stub));
    for (const [way, options] of Object.entries(WAYS)) {
      const to = join(folder, way, name);
      mkdirSync(join(folder, way), { recursive: true });
      rmSync(to, { force: true });
      const { status, stderr } = spawnSync(upx, ["-qqq", "-f", ...options, "-o", to, join(original, name)]);
      if (status !== 0) console.error(`${way} does not pack ${name}: ${stderr.toString().trim()}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
