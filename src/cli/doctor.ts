/** `medley doctor`: checks the machine and shows how to fix problems. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import {
  credentialsPathOf,
  findRunningServer,
  inspectDatabase,
  inspectObjects,
  othersMayLook,
  serviceTable,
} from "#app";
import { type Config, type Finding, optionalTool } from "#kernel/config";
import type { StandbyState } from "#kernel/db";
import type { Verified } from "#kernel/objects";
import { withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { type Parsed, parseFlags } from "./flags.ts";

const NODE_MIN = [20, 12] as const;
const FREE_BYTES_MIN = 256 * 1024 * 1024;

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]))
    return { what: `Node ${process.versions.node}` };
  return {
    what: "Node",
    problem: `version ${process.versions.node} is too old`,
    fix: `install Node ${NODE_MIN.join(".")} or later`,
  };
}
async function checkDriver(): Promise<Finding> {
  const what = "embedded SQLite";
  try {
    const { getSqliteDriver } = await import("#kernel/db");
    return { what, note: `by ${getSqliteDriver().name}` };
  } catch (error) {
    return {
      what,
      problem: (error as Error).message,
      fix: "use Node 22.16 or later, or install @photostructure/sqlite",
    };
  }
}
/** The folder, or its nearest existing parent. */
function nearestExisting(folder: string): string {
  let path = resolve(folder);
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return path;
}
/** A warning only, because the files in it are still private. */
const openFolder = (dataFolder: string) => ({
  warning: "others on this machine may look into it",
  fix: `chmod 700 ${dataFolder}`,
});
function checkFolder({ dataFolder, memory }: Config): Finding {
  if (memory) return { what: "data folder", note: "not needed with --memory" };
  const existing = nearestExisting(dataFolder);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    if (bavail * bsize < FREE_BYTES_MIN)
      return {
        what: `data folder ${dataFolder}`,
        problem: "less than 256 MB are free on its disk",
        fix: "free some space or choose another --data",
      };
    if (existing !== resolve(dataFolder))
      return { what: `data folder ${dataFolder}`, note: "does not exist yet: the first start creates it" };
    return { what: `data folder ${dataFolder}`, ...(othersMayLook(existing) && openFolder(dataFolder)) };
  } catch (error) {
    return {
      what: `data folder ${dataFolder}`,
      problem: (error as Error).message,
      fix: "make it writable for this user or choose another --data",
    };
  }
}
function checkCredentials({ dataFolder, memory }: Config): Finding {
  const path = credentialsPathOf(dataFolder);
  if (memory || !existsSync(path))
    return { what: "credentials file", note: "none yet: the first start creates one" };
  if (!othersMayLook(path)) return { what: `credentials file ${path}` };
  return {
    what: `credentials file ${path}`,
    problem: "other users of this machine can read it",
    fix: `chmod 600 ${path}`,
  };
}
async function checkDatabase(config: Config): Promise<Finding[]> {
  const what = config.databaseUrl ? "PostgreSQL" : "database file";
  const running = findRunningServer(config.dataFolder);
  if (running && !config.databaseUrl)
    return [{ what, note: `in use by process ${running.pid} at ${running.url}` }];
  const { standby, ...inspection } = await inspectDatabase(config);
  if (inspection.problem === undefined)
    return [{ what, ...inspection }, ...(standby ? [standbyFinding(standby)] : [])];
  return [
    {
      what,
      ...inspection,
      fix: config.databaseUrl
        ? "check --database, that the server runs and lets this user create tables, and which version you start"
        : "start the version that has written it, or restore the file from a backup, or move it away to begin anew",
    },
  ];
}
/** A warning only, because a node works without its standby. */
function standbyFinding(state: StandbyState): Finding {
  const what = "standby of --read-database";
  if (state.isUsed) return { what, note: `${state.lagSeconds.toFixed(1)} s behind` };
  const { problem, detail } = state;
  const warning = `${problem}${detail === undefined ? "" : `: ${detail}`}; reads go to the primary`;
  return { what, warning, fix: "check --read-database, that the server runs and follows the primary" };
}
/** Only the running server can access its embedded database. */
async function askServer(parsed: Parsed): ReturnType<typeof inspectObjects> {
  try {
    return { found: await withAdmin(parsed, (admin) => admin.json<Verified>("GET", "/objects")) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
async function checkObjects(parsed: Parsed): Promise<Finding[]> {
  const { config } = parsed;
  const isInUse = config.databaseUrl === undefined && findRunningServer(config.dataFolder) !== undefined;
  if (isInUse && config.objects === undefined) return [];
  const { problem, note, found } = await (isInUse ? askServer(parsed) : inspectObjects(config));
  const what = `object store${config.objects === undefined ? "" : ` ${config.objects}`}`;
  if (problem !== undefined)
    return [{ what, problem, fix: "check --objects and its keys, and that the store answers" }];
  if (!found) return note === undefined ? [] : [{ what, note }];
  if (found.missing > 0)
    return [
      {
        what,
        problem: `${found.missing} names without objects`,
        fix: "put them back; medley objects verify lists them",
      },
    ];
  return [{ what, note: `${found.objects} objects, ${found.unnamed} of them named by nothing` }];
}
const checkPorts = async (config: Config): Promise<Finding[]> => [
  await checkPort(config, "port", config.port),
  ...(config.tls ? [await checkPort(config, "tls-port", config.tlsPort)] : []),
];
async function checkPort({ host, dataFolder }: Config, flag: string, port: number): Promise<Finding> {
  const what = `port ${port} on ${host}`;
  const problem = await new Promise<string | undefined>((resolve) => {
    const server = createServer().once("error", (error) => resolve(error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (problem === undefined) return { what };
  const running = findRunningServer(dataFolder);
  const isOurs = running && (flag !== "port" || running.url.endsWith(`:${port}`));
  if (isOurs) return { what, note: `taken by our own server (process ${running.pid})` };
  return { what, problem, fix: `stop the other program or choose another --${flag}` };
}
async function checkServices(config: Config): Promise<Finding[]> {
  const findings = await Promise.all(serviceTable.map(({ manifest }) => manifest?.check?.(config) ?? []));
  return findings.flat();
}

function lineOf({ what, problem, warning, fix, note }: Finding): string {
  if (problem !== undefined) return `WRONG ${what}: ${problem}\n      fix: ${fix}`;
  if (warning !== undefined) return `WARN  ${what}: ${warning}\n      fix: ${fix}`;
  return `ok    ${what}${note ? `: ${note}` : ""}`;
}

export const doctor: Command = {
  name: "doctor",
  usage: ["doctor"],
  summary: "check the machine, data folder, database, ports, optional tools, and say how to fix problems",
  async run(words) {
    const parsed = parseFlags(words, doctor.usage);
    const { config } = parsed;
    const findings = [
      checkNode(),
      await checkDriver(),
      checkFolder(config),
      checkCredentials(config),
      ...(await checkDatabase(config)),
      ...(await checkObjects(parsed)),
      ...(await checkPorts(config)),
      optionalTool("chromium", "browser tests"),
      ...(await checkServices(config)),
    ];
    for (const finding of findings) console.log(lineOf(finding));
    return findings.some(({ problem }) => problem !== undefined) ? 1 : 0;
  },
};
