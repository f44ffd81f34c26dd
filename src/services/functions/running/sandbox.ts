/** Isolation of a function's process: the strongest of three levels that works on this machine. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { inNamespaces, SHARED_MEMORY } from "./namespaces.ts";

/** From strong to weak. SECURITY.md describes what each one prevents. */
export const LEVELS = ["bubblewrap", "namespaces", "permissions"] as const;
export type Level = (typeof LEVELS)[number];

export type Command = { readonly file: string; readonly args: readonly string[] };
export type Confined = {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it is Node, which can deny access to files and child processes itself. */
  readonly isNode: boolean;
  /** Code and runner: read, not written. */
  readonly folder: string;
  /** Its socket and temporary files. */
  readonly ownFolder: string;
  /** Further folders that it reads from, such as the language itself. */
  readonly readable: readonly string[];
  /** Folders that appear at another path, if the level supports it. */
  readonly mounted: readonly { readonly from: string; readonly to: string }[];
  /** Folders of the server, which its user may read and the function may not. */
  readonly hidden: readonly string[];
  readonly memoryBytes: number;
  readonly hasNetwork: boolean;
  /** Only root can become another. */
  readonly userId: number | undefined;
};

const PROCESSES_MAX = 128;
const FILES_MAX = 1024;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const PLACE_BYTES_MAX = 256 * 1024 * 1024;
const PROBE_MS = 5000;
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Node needs room beside its heap. */
const HEAP_SHARE = 0.7;
const HEAP_BYTES_MIN = 48 * 1024 ** 2;
const SYSTEM_FOLDERS = [
  "/usr",
  "/lib",
  "/lib64",
  "/bin",
  "/sbin",
  "/etc/alternatives",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/ld.so.cache",
];
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"];

const isRoot = (): boolean => process.getuid?.() === 0;
const permissionFlag = (): string =>
  Number(process.versions.node.split(".")[0]) >= 24 ? "--permission" : "--experimental-permission";

export const heapBytesOf = (memoryBytes: number): number =>
  Math.max(HEAP_BYTES_MIN, memoryBytes * HEAP_SHARE);
function nodeFlags({ folder, ownFolder, memoryBytes }: Confined, level: Level): string[] {
  const limits = [
    `--max-old-space-size=${Math.floor(heapBytesOf(memoryBytes) / 1024 ** 2)}`,
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
  ];
  // The rest of the machine is invisible, so child processes and native modules do no harm.
  if (level === "bubblewrap") return limits;
  return [...limits, permissionFlag(), `--allow-fs-read=${folder}/`, `--allow-fs-write=${ownFolder}/`];
}
const limited = (command: readonly string[]): string[] => [
  "prlimit",
  `--nproc=${PROCESSES_MAX}`,
  `--nofile=${FILES_MAX}`,
  `--fsize=${FILE_BYTES_MAX}`,
  "--core=0",
  "--",
  ...command,
];
const asUser = (userId: number | undefined, command: readonly string[]): string[] =>
  userId === undefined
    ? [...command]
    : [
        "setpriv",
        `--reuid=${userId}`,
        `--regid=${userId}`,
        "--clear-groups",
        "--no-new-privs",
        "--",
        ...command,
      ];
/** Ends when the server does, however that ends and whatever the function is busy with. */
const tied = (command: readonly string[]): string[] =>
  existsSync("/usr/bin/setpriv") ? ["setpriv", "--pdeathsig=KILL", "--", ...command] : [...command];

/** Each counts against the function's memory together with the others: no one alone may hold more. */
const placeBytesOf = ({ memoryBytes }: Confined): number => Math.min(PLACE_BYTES_MAX, memoryBytes);
const inMemory = (place: string, confined: Confined): string[] => [
  "--size",
  String(placeBytesOf(confined)),
  "--tmpfs",
  place,
];
let bubblewrapHelp: string | undefined;
/** In a user namespace of its own, a function could mount file systems in memory that nobody counts. Since version 0.8. */
export function forbidsNamespaces(): boolean {
  bubblewrapHelp ??= spawnSync("bwrap", ["--help"], { encoding: "utf8", timeout: PROBE_MS }).stdout ?? "";
  return bubblewrapHelp.includes("--disable-userns");
}
function inBubblewrap(confined: Confined, command: readonly string[]): string[] {
  const { folder, ownFolder, readable, hasNetwork, program } = confined;
  const bind = (kind: string, path: string): string[] => [kind, path, path];
  return [
    "bwrap",
    "--unshare-all",
    ...(forbidsNamespaces() ? ["--unshare-user", "--disable-userns"] : []),
    ...(hasNetwork ? ["--share-net"] : []),
    "--die-with-parent",
    "--new-session",
    ...SYSTEM_FOLDERS.flatMap((path) => bind("--ro-bind-try", path)),
    ...(hasNetwork ? NETWORK_FILES.flatMap((path) => bind("--ro-bind-try", path)) : []),
    ...[program, ...readable].flatMap((path) => bind("--ro-bind-try", path)),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...inMemory(SHARED_MEMORY, confined),
    "--remount-ro",
    "/dev",
    ...inMemory("/tmp", confined),
    ...bind("--ro-bind", folder),
    ...confined.mounted.flatMap(({ from, to }) => ["--ro-bind", from, to]),
    ...bind("--bind", ownFolder),
    "--remount-ro",
    "/",
    "--chdir",
    ownFolder,
    "--",
    ...command,
  ];
}

export function commandOf(level: Level, confined: Confined): Command {
  const { program, args, isNode, userId, hasNetwork, folder, ownFolder, hidden } = confined;
  const placeBytes = placeBytesOf(confined);
  const enclosed = { folder, ownFolder, hidden, placeBytes, hasNetwork, isRoot: isRoot() };
  const own = [program, ...(isNode ? nodeFlags(confined, level) : []), ...args];
  const command =
    level === "bubblewrap"
      ? asUser(userId, limited(inBubblewrap(confined, own)))
      : level === "namespaces"
        ? tied(inNamespaces(enclosed, asUser(userId, limited(own))))
        : asUser(userId, tied(existsSync("/usr/bin/prlimit") ? limited(own) : own));
  const [file = "", ...rest] = command;
  return { file, args: rest };
}

/** Tests each level with a trivial command. */
export async function findLevel(userId: number | undefined, wanted?: Level): Promise<Level> {
  for (const level of wanted === undefined ? LEVELS : [wanted]) if (await works(level, userId)) return level;
  if (wanted !== undefined) throw new Error(`isolation by ${wanted} does not work on this machine`);
  return "permissions";
}
function works(level: Level, userId: number | undefined): Promise<boolean> {
  const command = commandOf(level, {
    program: process.execPath,
    args: ["--version"],
    isNode: true,
    folder: dirname(process.execPath),
    ownFolder: "/tmp",
    readable: [],
    mounted: [],
    hidden: [],
    memoryBytes: 256 * 1024 ** 2,
    hasNetwork: false,
    userId,
  });
  return new Promise((resolve) => {
    const child = spawn(command.file, command.args, {
      stdio: "ignore",
      timeout: PROBE_MS,
      env: { PATH: SYSTEM_PATH },
    });
    child.once("error", () => resolve(false));
    child.once("exit", (status) => resolve(status === 0));
  });
}

/** Each function runs under a user id of its own, if possible. */
const USER_ID_FIRST = 600_000;
const USER_IDS = 60_000;
export const userIdOf = (number: number): number | undefined =>
  isRoot() ? USER_ID_FIRST + (number % USER_IDS) : undefined;
