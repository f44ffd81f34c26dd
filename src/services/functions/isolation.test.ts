/** What a deployed function cannot reach, for each isolation level that works on this machine. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { findPython } from "./running/python.ts";
import { findLevel, forbidsNamespaces, LEVELS, type Level, userIdOf } from "./running/sandbox.ts";

/** Each makes one attempt and returns the result. */
const TRIES = `
const fs = require("node:fs"), net = require("node:net"), os = require("node:os"), path = require("node:path");
const outcome = async (work) => { try { return { done: await work() }; } catch (error) { return { refused: error.code ?? error.message }; } };
const connect = (options) => new Promise((resolve, reject) => {
  const socket = net.connect(options, () => { socket.destroy(); resolve("connected"); });
  socket.on("error", reject);
  socket.setTimeout(3000, () => { socket.destroy(); reject(new Error("timeout")); });
});
const tries = {
  read: ({ file }) => fs.readFileSync(file, "utf8"),
  write: ({ file }) => fs.writeFileSync(file, "x"),
  list: ({ file }) => fs.readdirSync(file),
  temporary: () => { const file = path.join(os.tmpdir(), "own"); fs.writeFileSync(file, "mine"); return fs.readFileSync(file, "utf8"); },
  variable: ({ name }) => process.env[name],
  variables: () => Object.keys(process.env).filter((name) => /medley|token|secret|key/i.test(name)),
  connect: ({ port }) => connect({ host: "127.0.0.1", port: Number(port) }),
  service: ({ file }) => connect({ path: file }),
  outside: () => connect({ host: "192.0.2.1", port: 80 }),
  kill: ({ pid }) => process.kill(Number(pid), 0),
  parent: () => process.kill(process.ppid, "SIGTERM"),
  fill: () => { const file = path.join(os.tmpdir(), "big"); const part = Buffer.alloc(16e6); for (let n = 0; n < 40; n += 1) fs.appendFileSync(file, part); return "filled"; },
  spread: async () => { for (let n = 0; n < 60; n += 1) { fs.writeFileSync(path.join(os.tmpdir(), "part-" + n), Buffer.alloc(16e6)); await new Promise((resolve) => setTimeout(resolve, 60)); } return new Promise(() => {}); },
  native: () => process.dlopen({ exports: {} }, "/nowhere/native.node"),
  spawn: () => require("node:child_process").execFileSync("/bin/cat", ["/proc/1/cmdline"]).toString(),
  forks: () => { const children = []; for (let n = 0; n < 400; n += 1) children.push(require("node:child_process").spawn("/bin/sleep", ["5"])); return new Promise((resolve, reject) => { for (const child of children) child.on("error", reject); setTimeout(() => { for (const child of children) child.kill(); resolve(children.length); }, 1500); }); },
};
exports.tries = async (request, response) => {
  const { what, ...options } = request.query;
  response.json(await outcome(() => tries[what](options)));
};`;

/** These variables change how programs start: the wrappers, some of which run as root, and Node itself. */
const HOSTILE = {
  LD_PRELOAD: "/nowhere/evil.so",
  NODE_OPTIONS: "--allow-fs-read=* --allow-fs-write=* --allow-child-process",
};

const STRAY = "86399.25";
/** Forks twice, so that its grandchild has no parent, no session and no folder of ours. */
const STRAYS = `
import os, time
def strays(request):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            os.execv("/bin/sleep", ["sleep", "${STRAY}"])
        os._exit(0)
    time.sleep(0.2)
    return "gone"
`;
/** One attempt of each kind, as Python makes it: no permission model of a runtime stands in its way. */
const PROBE = `
import json, os, socket
def outcome(work):
    try:
        work()
        return True
    except OSError:
        return False
def connects(port):
    socket.create_connection(("127.0.0.1", int(port)), 3).close()
def probe(request):
    asked = request.args
    return json.dumps({
        "reads": outcome(lambda: open(asked["file"]).close()),
        "readsClosed": outcome(lambda: open(asked["closed"]).close()),
        "writes": outcome(lambda: open(os.path.join(asked["folder"], "new"), "w").close()),
        "sees": os.path.exists("/proc/" + asked["pid"] + "/cmdline") and asked["pid"] != str(os.getpid()),
        "signals": outcome(lambda: os.kill(int(asked["pid"]), 0)),
        "connects": outcome(lambda: connects(asked["port"])),
        "readsData": outcome(lambda: os.stat(asked["data"])),
        "misleads": outcome(lambda: os.symlink(asked["folder"], os.path.dirname(os.environ["HOME"]) + "/i-999")),
        "mounts": os.system("unshare --user --map-root-user --mount true") == 0,
        "spawns": os.waitstatus_to_exitcode(os.system("exit 0")) == 0,
    })
`;
/**
 * The rows of the table in SECURITY.md, for Python. A server that is root gives each function a user of its own.
 * `misleads`: puts a link where the server makes the folder of its next process. `mounts`: may mount
 * file systems, in a user namespace of its own.
 */
const isRoot = process.getuid?.() === 0;
const hasUserNamespaces = spawnSync("unshare", ["--user", "true"]).status === 0;
const PYTHON_ROWS = {
  bubblewrap: {
    reads: false,
    readsClosed: false,
    writes: false,
    sees: false,
    signals: false,
    connects: false,
    misleads: false,
    mounts: !forbidsNamespaces(),
    readsData: false,
  },
  namespaces: {
    reads: true,
    readsClosed: !isRoot,
    writes: false,
    sees: false,
    signals: false,
    connects: false,
    misleads: false,
    mounts: isRoot && hasUserNamespaces,
    readsData: false,
  },
  permissions: {
    reads: true,
    readsClosed: !isRoot,
    writes: true,
    sees: true,
    signals: !isRoot,
    connects: true,
    misleads: !isRoot,
    mounts: hasUserNamespaces,
    readsData: true,
  },
} as const satisfies Record<Level, object>;
/** Answers how many megabytes it could write. */
const HOARD = `
import os
def hoard(request):
    place, written = request.args["place"], 0
    part = b"x" * 1000000
    try:
        while written < 600:
            if place == "memfd":
                file = os.memfd_create("hoard")
            else:
                file = os.open(os.path.join(place, f"hoard-{written}"), os.O_CREAT | os.O_WRONLY)
            for _ in range(20):
                os.write(file, part)
                written += 1
            if place != "memfd":
                os.close(file)
    except OSError as error:
        return str(written)
    import time
    time.sleep(30)
    return str(written)
`;
const hasPython = await findPython().then(
  (found) => found !== undefined,
  () => false,
);
const readFileOr = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

const working: Level[] = [];
for (const level of LEVELS)
  if (
    await findLevel(userIdOf(0), level).then(
      () => true,
      () => false,
    )
  )
    working.push(level);

describe.each(working)("a function shut in by %s", (level) => {
  const folder = mkdtempSync(join(tmpdir(), "isolation-"));
  // Elsewhere than temporary files, which are hidden anyway. No character in its name leaves it open.
  const data = mkdtempSync(join(isRoot ? "/var/lib" : homedir(), "isolation: [a]-"));
  const secretFile = join(folder, "host-secret.txt");
  writeFileSync(secretFile, "of the host");
  let instance: Instance;
  let url: string;
  let neighbour: string;
  const listener = createServer((socket) => socket.end());
  const functions = new Functions(() => instance);
  const attempt = async (
    what: string,
    options: Record<string, string> = {},
  ): Promise<{ done?: unknown; refused?: string }> => {
    const { body } = await functions.call(`${url}?${new URLSearchParams({ what, ...options })}`);
    return body;
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    instance = await startInstance({ data, functionsIsolation: level } as object);
    chmodSync(data, 0o755);
    url = await functions.running("tries", {
      source: TRIES,
      service: { timeoutSeconds: 60, availableMemory: "256M", environmentVariables: HOSTILE },
    });
    const where = await functions.running("neighbour", {
      source: "exports.neighbour = (q, s) => s.send(__dirname);",
    });
    neighbour = (await functions.call(where)).text;
  }, 120_000);
  afterAll(async () => {
    listener.close();
    await instance.stop();
    rmSync(data, { recursive: true });
  });

  it("reads no files of the host, of the server or of another function", async () => {
    for (const file of [
      secretFile,
      join(data, "medley.db"),
      join(data, "credentials.json"),
      join(neighbour, "index.js"),
      "/etc/shadow",
    ])
      expect([file, (await attempt("read", { file })).done]).toEqual([file, undefined]);
    expect((await attempt("list", { file: folder })).refused).toBeDefined();
  });
  it("changes nothing by its variables but what it sees itself", async () => {
    expect(await attempt("variable", { name: "LD_PRELOAD" })).toEqual({ done: HOSTILE.LD_PRELOAD });
    expect((await functions.lines("tries")).filter(({ text }) => text.includes("evil.so"))).toEqual([]);
  });
  it("writes nowhere but into its own folder", async () => {
    for (const file of [join(folder, "new.txt"), "/etc/new.txt", "/usr/new.txt", join(neighbour, "new.js")])
      expect([file, (await attempt("write", { file })).done]).toEqual([file, undefined]);
    expect(await attempt("temporary")).toEqual({ done: "mine" });
  });
  it("knows no variables of the server's", async () => {
    expect(await attempt("variables")).toEqual({ done: [] });
  });
  it("cannot end other processes", async () => {
    expect((await attempt("kill", { pid: String(process.pid) })).done).toBeUndefined();
    await attempt("parent");
    expect((await instance.send("GET", "/_medley/health")).status).toBe(200);
    expect((await functions.call(`${url}?what=variables`)).status).toBe(200);
  });
  it("starts no more processes than it may", async () => {
    const { done, refused } = await attempt("forks");
    if (level === "bubblewrap") expect(Number(done ?? 0)).toBeLessThan(400);
    else expect(refused).toBe("ERR_ACCESS_DENIED");
    expect((await attempt("spawn")).done ?? "").not.toContain("medley");
  });
  it(`loads ${level === "bubblewrap" ? "native modules" : "no native module"}`, async () => {
    const { refused } = await attempt("native");
    expect(refused).toBe(level === "bubblewrap" ? "ERR_DLOPEN_FAILED" : "ERR_DLOPEN_DISABLED");
  });
  it("cannot fill the disk", async () => {
    expect((await attempt("fill")).done).toBeUndefined();
  });
  it("keeps no more in its own folder than it may, in however many files", async () => {
    expect((await functions.call(`${url}?what=spread`)).status).toBe(500);
    await eventually(
      async () =>
        (await functions.lines("tries")).some(({ text }) => text.startsWith("Temporary files exceeded")),
      "a line about temporary files",
    );
    expect(await attempt("temporary")).toEqual({ done: "mine" });
  });
  describe.runIf(hasPython)("in Python,", () => {
    const usedBytes = (): number => {
      const { blocks, bfree, bsize } = statfsSync("/dev/shm");
      return (blocks - bfree) * bsize;
    };
    /** The number of live orphan processes in sessions of their own. */
    const strays = (): number =>
      readdirSync("/proc").filter((pid) => readFileOr(`/proc/${pid}/cmdline`).includes(STRAY)).length;
    it("reaches what SECURITY.md says of this level, and no more", async () => {
      const open = mkdtempSync("/var/tmp/isolation-");
      chmodSync(open, 0o777);
      const closed = join(process.cwd(), "isolation-closed.txt");
      writeFileSync(closed, "of the owner alone", { mode: 0o600 });
      const where = await functions.running("probe", { source: { "main.py": PROBE }, runtime: "python311" });
      const { port } = listener.address() as { port: number };
      const asked = {
        file: "/etc/passwd",
        closed,
        folder: open,
        pid: String(process.pid),
        data: join(data, "medley.db"),
      };
      const { text } = await functions.call(
        `${where}?${new URLSearchParams({ ...asked, port: String(port) })}`,
      );
      // With namespaces, /tmp is the function's own: a checkout below it cannot be seen.
      const isHidden = level === "namespaces" && process.cwd().startsWith("/tmp/");
      const readsClosed = PYTHON_ROWS[level].readsClosed && !isHidden;
      expect(JSON.parse(text)).toEqual({ ...PYTHON_ROWS[level], readsClosed, spawns: true });
      expect(existsSync(join(open, "new"))).toBe(PYTHON_ROWS[level].writes);
      rmSync(open, { recursive: true });
      rmSync(closed);
    });
    it("leaves no child behind, however it parts from it", async () => {
      const where = await functions.running("strays", {
        source: { "main.py": STRAYS },
        runtime: "python311",
      });
      expect((await functions.call(where)).text).toBe("gone");
      await eventually(() => strays() > 0, "a child without a parent");
      await functions.ended(await functions.send("DELETE", functions.nameOf("strays")));
      await eventually(() => strays() === 0, "the end of all children");
    });
    it.runIf(level !== "permissions")("holds no more than its memory in files that are memory", async () => {
      const where = await functions.running("hoard", {
        source: { "main.py": HOARD },
        runtime: "python311",
        service: { availableMemory: "128M", timeoutSeconds: 60 },
      });
      for (const place of ["/dev/shm", "/tmp", "/", "/dev", "/var/tmp", "memfd"]) {
        const before = usedBytes();
        const { status, text } = await functions.call(`${where}?place=${place}`);
        // Refused by the place, or ended for it.
        expect([place, status === 200 ? Number(text) < 300 : status]).toEqual([place, status === 200 || 500]);
        expect(usedBytes() - before).toBeLessThan(64e6);
      }
      await functions.ended(await functions.send("DELETE", functions.nameOf("hoard")));
    });
  });
  it(level === "permissions" ? "reaches the network, as is said" : "reaches no network", async () => {
    const { port } = listener.address() as { port: number };
    const { done } = await attempt("connect", { port: String(port) });
    expect(done).toBe(level === "permissions" ? "connected" : undefined);
  });
  it.runIf(isRoot)(
    "reaches services of the machine by their sockets only where it reaches the network",
    async () => {
      const file = `/run/isolation-${process.pid}.sock`;
      const service = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => service.listen({ path: file, writableAll: true }, resolve));
      const { done } = await attempt("service", { file });
      service.close();
      expect(done).toBe(level === "permissions" ? "connected" : undefined);
    },
  );
});
