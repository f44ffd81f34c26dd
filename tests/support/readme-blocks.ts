/**
 * The code blocks of a document, run in their order as a reader runs them: one shell for all commands, one program for
 * all JavaScript. The program waits for the shell where they alternate, and gets the variables that the shell exports.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "./command-line.ts";

export type Block = { readonly language: string; readonly line: number; readonly text: string };
const ROOT = join(import.meta.dirname, "../..");

export function blocksOf(file: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, text] of readFileSync(join(ROOT, file), "utf8").split("\n").entries()) {
    if (!text.startsWith("```")) open?.lines.push(text);
    else if (open) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join("\n") });
      open = undefined;
    } else open = { language: text.slice(3).trim(), line: index + 1, lines: [] };
  }
  return blocks;
}

/** `jq -r PATH` for machines without it: names and numbers only. */
const JQ = `const steps = process.argv[1].match(/[A-Za-z_]+|\\d+/g);
console.log(steps.reduce((value, step) => value[step], JSON.parse(require("fs").readFileSync(0, "utf8"))));`;

/** Stand in for npx and medley, which would look for a project; for curl, which takes any answer for a success. */
function writeStandIns(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const medley = `"${process.execPath}" "${main}"`;
  const scripts = {
    npx: `[ "$1" = medley ] || exit 64; shift; exec ${medley} "$@"`,
    // A server that is shown with its flags only has to begin with them.
    medley: `[ "$1" = serve ] || exit 64
${medley} "$@" --memory --port 0 > started & server=$!
until grep -q http:// started; do kill -0 $server || exit 1; sleep 0.1; done
kill $server; wait $server`,
    curl: `exec /usr/bin/curl --fail-with-body "$@"`,
    ...(existsSync("/usr/bin/jq") ? {} : { jq: `exec "${process.execPath}" -e '${JQ}' "$2"` }),
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** Programs find the project's packages, and the product by its name. */
function linkPackages(folder: string): void {
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  if (!existsSync(join(packages, "medley"))) symlinkSync(ROOT, join(packages, "medley"));
}

/** Runs commands in one shell, and takes over what they export. A command that fails ends the program. */
const SHELL = String.raw`
import { spawn } from "node:child_process";
const shell = spawn("bash", { stdio: ["pipe", "pipe", "inherit"] });
shell.stdin.write("set -eo pipefail\n");
async function commands(text) {
  const ended = new Promise((resolve, reject) => {
    let output = "";
    shell.once("exit", (code) => reject(new Error("the shell ended with " + code + " in:\n" + text)));
    shell.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
      const variables = /\x01([^]*)\x02/.exec(output)?.[1];
      if (variables !== undefined) resolve(variables);
    });
  });
  shell.stdin.write(text + "\nprintf '\\001'; env -0; printf '\\002'\n");
  for (const line of (await ended).split("\0")) {
    const at = line.indexOf("=");
    if (at > 0) process.env[line.slice(0, at)] = line.slice(at + 1);
  }
  shell.removeAllListeners("exit");
  shell.stdout.removeAllListeners("data");
}
`;

const programOf = (blocks: readonly Block[]): string =>
  [
    SHELL,
    ...blocks.map(({ language, text }) =>
      language === "sh" ? `await commands(${JSON.stringify(text)});` : text,
    ),
    'shell.stdin.end();\nconsole.log("\\nall blocks have run");\nprocess.exit(0);',
  ].join("\n");

export type Reader = {
  readonly folder: string;
  run(blocks: readonly Block[], environment: Record<string, string>): Promise<string>;
  leave(): void;
};

/** A folder of its own with the packages, and nothing else. */
export function newReader(): Reader {
  const folder = mkdtempSync(join(tmpdir(), "medley-readme-"));
  const bin = writeStandIns(folder);
  linkPackages(folder);
  return {
    folder,
    run(blocks, environment) {
      writeFileSync(join(folder, "program.mjs"), programOf(blocks));
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...environment };
      return new Promise((resolve) => {
        const child = spawn(process.execPath, ["program.mjs"], { cwd: folder, env });
        let output = "";
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => {
            output += chunk.toString();
          });
        child.once("close", () => resolve(output));
      });
    },
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}
