/** `medley serve`. */
import { resolve } from "node:path";
import { type App, startApp } from "#app";
import { type Config, defaultConfig } from "#kernel/config";
import type { Command } from "./command.ts";
import { parseFlags } from "./flags.ts";
import { guardProcess } from "./guard-process.ts";
import { settingsTable } from "./help.ts";

/** Hard limit of a stop. A graceful stop takes less. */
const STOP_MS_MAX = 15_000;

/** Flags with which another command finds the same accounts. */
function placeOf({ dataFolder, credentialsFile }: Config): string {
  if (credentialsFile !== undefined) return ` --credentials ${credentialsFile}`;
  return dataFolder === defaultConfig.dataFolder ? "" : ` --data ${dataFolder}`;
}

async function welcome(app: App, config: Config): Promise<string> {
  const { figuresOf } = await import("#kernel/operation");
  const { services, operations } = figuresOf(app.kernel.services);
  const lines = [
    `Medley serves ${services} (${operations}) on ${app.url}`,
    ...app.kernel.services.map((service) => `  ${service.title.padEnd(28)} ${app.url}${service.mount}`),
    `  ${"Console".padEnd(28)} ${app.url}/console`,
  ];
  if (app.tlsUrl) {
    lines.push(`HTTPS as well: ${app.tlsUrl}`);
    const authority = app.certificateAuthorityPath && resolve(app.certificateAuthorityPath);
    if (authority)
      lines.push(`  to trust it: export NODE_EXTRA_CA_CERTS=${authority}   (curl --cacert ${authority})`);
  }
  const command = `npx medley credentials${placeOf(config)}`;
  if (config.publicUrl !== undefined) lines.push(`Known to callers as ${config.publicUrl}`);
  if (app.firstStart && app.credentialsPath)
    lines.push(`A first account was made; its secrets are in ${app.credentialsPath}`);
  if (config.memory && app.firstStart)
    lines.push(
      `Nothing is kept on disk. Credentials of this run: ${JSON.stringify(app.credentials?.accounts[0])}`,
    );
  else lines.push(`Credentials: ${command}          for a shell: eval "$(${command} --env)"`);
  return lines.join("\n");
}

export const serve: Command = {
  name: "serve",
  usage: [
    "serve [--host 127.0.0.1] [--port 4020] [--data .medley] [--memory] [--database postgres://…] [--services a,b] [--credentials file.json] [--config file] [--tls] [--public-url https://…] [--trusted-proxies 10.0.0.0/8]",
  ],
  summary: "run all services on one port",
  details: settingsTable,
  async run(words) {
    const parsed = parseFlags(words, serve.usage);
    const { config } = parsed;
    // Registered first, so that a signal during the start also causes a graceful stop.
    const end = new AbortController();
    process.once("SIGINT", () => end.abort());
    process.once("SIGTERM", () => end.abort());
    const guard = guardProcess(config.logLevel, () => end.abort());
    const asked = new Promise((resolve) => end.signal.addEventListener("abort", resolve));
    // The hard limit also ends a start that still waits for its database.
    void asked.then(() => setTimeout(() => process.exit(guard.exitCode), STOP_MS_MAX).unref());
    const app = await startApp(config);
    console.log(await welcome(app, config));
    await asked;
    const busy = app.underWay();
    if (busy.length > 0)
      console.log(
        `Stopping: waits up to ${app.stopGraceSeconds} seconds for ${busy.join(" and ")}. Ctrl-C again ends it at once.`,
      );
    await app.stop();
    // Ends the process if other handles keep it alive. Otherwise it ends by itself before this timer.
    setTimeout(() => process.exit(), 0).unref();
    return guard.exitCode;
  },
};
