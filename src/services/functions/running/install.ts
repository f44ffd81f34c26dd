/**
 * Installs the dependencies in a source's package.json. The installer is isolated like a function, but has a
 * network.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FILES_MAX } from "./archive.ts";
import { measureFolder } from "./folder-limit.ts";
import { LineReader, type WrittenLine } from "./lines.ts";
import { commandOf, type Level, SYSTEM_PATH } from "./sandbox.ts";

/** The reason why dependencies cannot be installed, as a message for the function's owner. */
export class CannotInstall extends Error {}

const INSTALL_MS = 300_000;
const WATCH_MS = 500;
const MEMORY_BYTES = 1024 ** 3;
const LAST_LINES = 5;
/** Commands of packages, which are links all of them. */
const PROGRAMS = ".bin";
const NPM_PLACES = [
  join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js"),
  join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js"),
  "/usr/lib/node_modules/npm/bin/npm-cli.js",
  "/usr/share/nodejs/npm/bin/npm-cli.js",
];
/** Variables come by the input, as they do for the function itself. */
const BEGIN =
  "Object.assign(process.env, JSON.parse(require('node:fs').readFileSync(0, 'utf8'))); require(process.argv[1]);";
/** Scripts of packages would run with a network. */
const FLAGS = [
  ...["--ignore-scripts", "--omit=dev", "--no-package-lock", "--no-audit", "--no-fund"],
  ...["--no-update-notifier", "--no-progress", "--loglevel=notice"],
];

/** Whether a source names dependencies that it does not bring. */
export async function wantsInstall(code: string): Promise<boolean> {
  if (existsSync(join(code, "node_modules"))) return false;
  try {
    const { dependencies } = JSON.parse(await readFile(join(code, "package.json"), "utf8"));
    return Object.keys(dependencies ?? {}).length > 0;
  } catch {
    return false;
  }
}

export type Installation = {
  /** Holds `code` and whatever npm needs; all of it may be written to. */
  readonly folder: string;
  readonly level: Level;
  readonly userId: number | undefined;
  /** Of the build, as its owner set them. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  wrote(line: WrittenLine): void;
};

export async function install(installation: Installation): Promise<void> {
  const { folder, level, variables } = installation;
  const npm = NPM_PLACES.find((path) => existsSync(path));
  if (!npm) throw new CannotInstall("There is no npm on this machine to install dependencies with.");
  if (level !== "bubblewrap")
    throw new CannotInstall(
      "Dependencies are installed only where bubblewrap shuts npm in: bring node_modules in the archive.",
    );
  const code = join(folder, "code");
  const { file, args } = commandOf(level, {
    program: process.execPath,
    args: ["-e", BEGIN, npm, "install", "--prefix", code, ...FLAGS],
    isNode: true,
    folder,
    ownFolder: folder,
    readable: [join(dirname(npm), "..")],
    mounted: [],
    hidden: [],
    memoryBytes: MEMORY_BYTES,
    hasNetwork: true,
    userId: installation.userId,
  });
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: SYSTEM_PATH, LANG: "C.UTF-8" },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    timeout: INSTALL_MS,
    killSignal: "SIGKILL",
    signal: installation.signal,
  });
  const input = child.stdin as Writable;
  input.on("error", () => {});
  input.end(JSON.stringify({ ...variables, HOME: folder, npm_config_cache: join(folder, "cache") }));
  await ended(child, installation);
}

async function ended(child: ChildProcess, { folder, wrote }: Installation): Promise<void> {
  const last: string[] = [];
  const note = (severity: string) =>
    new LineReader(severity, ({ text, ...line }) => {
      const plain = text.replaceAll(`${folder}${sep}`, "");
      if (severity === "WARNING") last.push(plain);
      if (last.length > LAST_LINES) last.shift();
      wrote({ ...line, text: plain });
    });
  note("INFO").read(child.stdout as Readable);
  note("WARNING").read(child.stderr as Readable);
  let reason: string | undefined;
  const watch = setInterval(async () => {
    if (!(await measureFolder(folder)).isOverfull) return;
    reason = "they take too much room";
    child.kill("SIGKILL");
  }, WATCH_MS);
  const status = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
    child.once("error", () => resolve(null));
  });
  clearInterval(watch);
  if (status === 0) return;
  const why = reason ?? (status === null ? "npm was ended before it was done" : last.join(" "));
  throw new CannotInstall(`The dependencies could not be installed: ${why}`);
}

type Found = { readonly path: string; readonly name: string };
/** Archives contain no links, so the target of a link within the source is stored in its place. */
async function* filesIn(
  folder: string,
  name: string,
  code: string,
  above: readonly string[],
): AsyncGenerator<Found> {
  for (const entry of await readdir(folder)) {
    if (entry === PROGRAMS) continue;
    const path = await realpath(join(folder, entry)).catch(() => "");
    if (!path.startsWith(`${code}${sep}`) || above.includes(path)) continue;
    const found = { path, name: name === "" ? entry : `${name}/${entry}` };
    const kind = await lstat(path);
    if (kind.isFile()) yield found;
    else if (kind.isDirectory()) yield* filesIn(path, found.name, code, [...above, path]);
  }
}
/** Packs the installed dependencies into a separate archive, which is where npm could put nothing. */
export async function packInstalled(code: string, file: string): Promise<void> {
  const { ZipFile } = await import("yazl");
  const archive = new ZipFile();
  const root = await realpath(code);
  // What npm ran could replace the folder by a link to another of this machine.
  if (root !== join(await realpath(dirname(code)), basename(code)))
    throw new CannotInstall("The dependencies could not be installed: the source was moved.");
  const modules = join(root, "node_modules");
  let files = 0;
  for await (const { path, name } of filesIn(modules, "", root, [root, modules])) {
    files += 1;
    if (files > FILES_MAX)
      throw new CannotInstall(`The dependencies have more than the ${FILES_MAX} files that are allowed.`);
    archive.addFile(path, name);
  }
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}
