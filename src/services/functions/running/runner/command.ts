/**
 * Runs a program in any language. The manifest names the command; the program serves HTTP on the given port.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const MANIFEST = "medley-function.json";
const HOST = "127.0.0.1";
const WORDS_MAX = 100;
const BETWEEN_MS = 20;
const ENDING_MS = 1000;
/** They are about the connection, which ends here. */
const OWN_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"]);

function commandIn(code: string): readonly string[] {
  const file = join(code, MANIFEST);
  if (!existsSync(file))
    throw new Error(`The source has no ${MANIFEST}, which its runtime needs: it says what to run.`);
  const { command } = JSON.parse(readFileSync(file, "utf8")) as { command?: unknown };
  const isCommand =
    Array.isArray(command) &&
    command.length > 0 &&
    command.length <= WORDS_MAX &&
    command.every((word) => typeof word === "string" && word !== "");
  if (!isCommand) throw new Error(`The member 'command' of ${MANIFEST} must be a list of texts.`);
  return command as string[];
}
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
const passed = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_text, at) => !OWN_HEADERS.has((rawHeaders[at - (at % 2)] ?? "").toLowerCase()));

export type Pass = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => Promise<void>;
/** Until the program listens. `ended` is called when it ends, which no request can be blamed for. */
export async function startCommand(code: string, ended: (error: Error) => void): Promise<Pass> {
  const [program = "", ...words] = commandIn(code);
  const port = await freePort();
  let problem: Error | undefined;
  const child = spawn(program, words, {
    cwd: code,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const end = (error: Error): void => {
    problem ??= error;
  };
  child.once("error", (error) => end(new Error(`The command could not be started: ${error.message}`)));
  child.once("exit", (status, signal) =>
    end(new Error(`The command ended with ${signal ?? `status ${status}`}.`)),
  );
  while (!(await answers(port))) {
    if (problem) throw problem;
    await sleep(BETWEEN_MS);
  }
  child.once("exit", () => ended(problem ?? new Error("The command ended.")));
  // A program that ends breaks its connections first. Its process must have ended before the next request comes.
  const whenSettled = () =>
    Promise.race([sleep(ENDING_MS), new Promise((resolve) => child.once("exit", resolve))]);
  const agent = new Agent({ keepAlive: true });
  return (request, response, bytes) =>
    new Promise((resolve, reject) => {
      const headers = passed(request.rawHeaders);
      const { method = "GET", url = "/" } = request;
      const asked = ask(
        { host: HOST, port, agent, method, path: url, headers: headers as never },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, passed(answer.rawHeaders));
          answer.pipe(response);
          answer.once("error", reject);
          response.once("close", () => {
            answer.destroy();
            resolve();
          });
        },
      );
      asked.once("error", (error) => void whenSettled().then(() => reject(error))).end(bytes);
    });
}
