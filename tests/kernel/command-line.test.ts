/** The command line, as people and scripts use it: the built product in processes of its own. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { main, medley, medleyIn, SERVICES_TOLD } from "../support/command-line.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { isFirstPart } from "../support/test-part.ts";

const data = mkdtempSync(join(tmpdir(), "medley-cli-"));
let server: NodeProcess;

const here = (...words: string[]) => medley(...words, "--data", data);

beforeAll(async () => {
  server = await startServe("--data", data, "--log-level", "error");
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

it("makes one account with random secrets on first start, readable by its owner only", async () => {
  const file = join(data, "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [account] = JSON.parse(readFileSync(file, "utf8")).accounts;
  expect(account).toMatchObject({
    id: expect.stringMatching(/^\d{12}$/),
    admin: true,
    policies: [{ effect: "Allow", actions: ["*"], resources: ["*"] }],
  });
  const answer = await fetch(`${server.url}/_medley/jobs`, {
    headers: { authorization: `Bearer ${account.tokens[0]}` },
  });
  expect(answer.status).toBe(200);
});
it("shows credentials as text, as JSON and as shell lines", async () => {
  const [account] = JSON.parse((await here("credentials", "--json")).output).accounts;
  expect((await here("credentials")).output).toContain(account.apiKeys[0]);
  const { output } = await here("credentials", "--env");
  expect(output).toContain(`export MEDLEY_TOKEN='${account.tokens[0]}'`);
  for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION"])
    expect(output).toContain(`export ${name}='us-east-1'`);
  expect(output).toContain(`export AWS_ACCESS_KEY_ID='${account.accessKeys[0].id}'`);
  expect(output).toContain(`export MEDLEY_URL='${server.url}'`);
  const endpoints = [...output.matchAll(/AWS_ENDPOINT_URL_\w+='([^']+)'/g)].map(([, url]) => url ?? "");
  expect(endpoints).toContain(`${server.url}/resource-groups`);
  for (const url of endpoints) expect((await fetch(`${url}/`)).headers.get("x-amzn-requestid")).toBeTruthy();
});
it("shows a shell every secret as it is, whatever it is made of", async () => {
  const file = join(data, "odd-secrets.json");
  const token = `odd'; touch ${join(data, "touched")}; '$(id)"`;
  writeFileSync(file, JSON.stringify({ accounts: [{ id: "123456789012", tokens: [token] }] }));
  const script = 'eval "$("$0" "$1" credentials --env --credentials "$2")"; printf %s "$MEDLEY_TOKEN"';
  const output = await new Promise<string>((resolve) =>
    execFile("sh", ["-c", script, process.execPath, main, file], (_error, text) => resolve(text)),
  );
  expect(output).toBe(token);
  expect(existsSync(join(data, "touched"))).toBe(false);
});
it("the token of a data folder goes to another machine only if the folder is named", async () => {
  const elsewhere = ["clock", "show", "--url", "http://medley.invalid:1"];
  const implied = await medleyIn({ MEDLEY_DATA: data }, ...elsewhere);
  expect([implied.code, implied.errors]).toEqual([
    2,
    expect.stringMatching(/no admin token is known: give --token/),
  ]);
  const named = await medley(...elsewhere, "--data", data);
  expect([named.code, named.errors]).toEqual([1, expect.stringMatching(/no server answers at/)]);
  const local = await medleyIn({ MEDLEY_DATA: data }, "clock", "show", "--url", server.url);
  expect([local.code, local.output]).toEqual([0, expect.any(String)]);
});
it("makes and revokes a scoped token that works at once and stops at once", async () => {
  const made = JSON.parse(
    (
      await here(
        "credentials",
        "create",
        "--kind",
        "token",
        "--scope",
        "medley:*",
        "--expires-in",
        "8h",
        "--json",
      )
    ).output,
  );
  const ask = async () =>
    (await fetch(`${server.url}/_medley/clock`, { headers: { authorization: `Bearer ${made.token}` } }))
      .status;
  expect(await ask()).toBe(200);
  expect((await here("credentials", "revoke", made.id)).code).toBe(0);
  expect(await ask()).toBe(401);
});
it("travels in time", async () => {
  expect((await here("clock", "freeze")).output).toContain("(frozen)");
  const before = Date.parse((await here("clock", "show")).output.split(" ")[0]!);
  const { output } = await here("clock", "advance", "36h");
  expect(output).toContain("of housekeeping besides (--all shows them)");
  expect(output).not.toContain("medley.prune");
  expect(Date.parse(output.trim().split("\n").at(-1)!.split(" ")[0]!) - before).toBe(36 * 3_600_000);
  expect((await here("clock", "advance", "36h", "--all")).output).toContain("medley.prune: 1 run\n");
  expect((await here("clock", "resume")).output).not.toContain("frozen");
  expect(await here("clock", "cancel")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("Nobody is moving time"),
  });
  expect((await here("clock", "advance", "soon")).code).toBe(2);
});
it("lists credentials by the ids that revoke takes", async () => {
  const made = await here("credentials", "create", "--kind", "apiKey", "--scope", "braille:*", "--json");
  const { id } = JSON.parse(made.output);
  const line = (await here("credentials", "list")).output.split("\n").find((text) => text.includes(id));
  expect(line).toMatch(/apiKey .*only braille:\*/);
  const [account] = JSON.parse((await here("credentials", "list", "--json")).output);
  expect(account.credentials.map((one: { id: string }) => one.id)).toContain(id);
  expect((await here("credentials", "revoke", id)).output).toBe(`revoked ${id}\n`);
  expect((await here("credentials", "list")).output).not.toContain(id);
  expect(await here("credentials", "revoke", id)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/answered 404/),
  });
  expect(await here("credentials", "revoke")).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/credentials list/),
  });
  expect(await here("credentials", "create", "--kind", "stamp")).toMatchObject({ code: 2 });
});
it("saves, clears and loads state through a file", async () => {
  const file = join(data, "state.ndjson");
  const [account] = JSON.parse((await here("credentials", "--json")).output).accounts;
  const headers = { authorization: `Bearer ${account.tokens[0]}`, "content-type": "application/json" };
  await fetch(`${server.url}/_medley/resources`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ arn: "arn:vendor:x:y:z:kept", type: "Vendor::X::Y" }),
  });
  const count = async () => {
    const answer = await fetch(`${server.url}/_medley/resources`, { headers });
    return ((await answer.json()) as { resources: unknown[] }).resources.length;
  };
  const before = await count();
  const exported = await here("state", "export", file);
  expect([exported.code, exported.output]).toEqual([
    0,
    expect.stringMatching(
      /^exported [1-9]\d* rows \(\d+ bytes\) to .*state.ndjson; to load them: medley state import /,
    ),
  ]);
  expect((await here("state", "reset")).code).toBe(0);
  expect(await count()).toBe(0);
  expect((await here("state", "import", file)).output).toMatch(/imported \d+ rows/);
  expect(await count()).toBe(before);
});
it("loads state that was saved elsewhere, and the folder's own credentials stay good", async () => {
  const [saved, elsewhere] = [join(data, "elsewhere.ndjson"), join(data, "elsewhere")];
  await here("state", "export", saved);
  expect((await medley("seed", "braille", "--data", elsewhere)).code).toBe(0);
  const loaded = await medley("state", "import", saved, "--data", elsewhere);
  expect(loaded).toMatchObject({ code: 0, errors: "" });
  expect(loaded.output).toMatch(
    /^imported \d+ rows\n\d+ of its credentials left out: your account, which stays/,
  );
  expect(await medley("clock", "show", "--data", elsewhere)).toMatchObject({ code: 0, errors: "" });
});
it("lists services and prints OpenAPI", async () => {
  const services = JSON.parse((await medley("services", "--json")).output);
  expect(services.map(({ name }: { name: string }) => name)).toContain("braille");
  expect(JSON.parse((await medley("openapi", "braille")).output)).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Braille" },
  });
  const page = await (await fetch(`${server.url}/console`)).text();
  expect(page).toContain(`${SERVICES_TOLD} services, `);
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const { services: mounted } = (await (await fetch(`${server.url}/_medley/services`)).json()) as {
    services: { contract?: string }[];
  };
  expect(mounted.filter(({ contract }) => contract !== undefined)).toHaveLength(SERVICES_TOLD);
  expect(readme.match(/^\| \[[^\]]+\] \(\w+\) /gm)).toHaveLength(SERVICES_TOLD);
  expect((await medley("openapi", "nonsense")).errors).toContain("there is no service named nonsense");
});
it("loads demo data, twice without harm", async () => {
  const [account] = JSON.parse((await here("credentials", "--json")).output).accounts;
  const managers = ["scheduler", "hardware-security-modules", "api-diagnostics", "sql-databases"];
  const first = await here("seed", ...managers);
  expect([first.code, first.errors]).toEqual([0, ""]);
  expect(first.output).toContain(`demo data in account ${account.id}:\n`);
  for (const manager of managers)
    expect(first.output).toMatch(
      new RegExp(`\\n  ${manager} +[1-9]\\d* rows, at ${server.url}/management\\n`),
    );
  expect(first.output).not.toContain("nothing new");
  expect(first.output).toContain(`look at it in the console: ${server.url}/console\n`);
  const again = await here("seed", ...managers);
  expect([again.code, again.errors]).toEqual([0, ""]);
  expect(again.output).toMatch(/\n {2}scheduler +nothing new: it was there already, at /);
});
it("checks the machine", async () => {
  const { code, output } = await here("doctor", "--port", new URL(server.url).port);
  expect(output).toContain("ok    Node");
  expect(output).toMatch(/^ok {4}braille engine: liblouis \d/m);
  expect(output).toMatch(/taken by our own server/);
  expect(code).toBe(0);
});
it("refuses a second process on the same data folder, and what it does not understand, in one clear line", async () => {
  expect(await here("serve", "--port", "0")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("is in use by process"),
  });
  expect((await medley("fly")).code).toBe(2);
  expect((await medley("serve", "--wings")).errors).toContain("medley serve:");
  expect((await medley("serve", "--port", "many")).errors).toContain('--port: "many" is not a whole number');
  const broken = join(data, "broken.json");
  writeFileSync(broken, '{"accounts":[{"id":"12"}]}');
  expect((await medley("serve", "--memory", "--credentials", broken)).errors).toContain("/accounts/0/id");
});

it("explains every command and every flag with its variable, and says its version", async () => {
  const help = (await medley("help")).output;
  const commands = ["serve", "credentials", "services", "openapi", "seed", "state", "clock", "doctor"];
  for (const name of commands) {
    expect(help).toContain(`  ${name}`);
    const own = await medley(name, "--help");
    expect([own.code, own.output, own.errors]).toEqual([0, expect.stringContaining(`medley ${name}`), ""]);
    expect((await medley("help", name)).output).toBe(own.output);
  }
  const { output } = await medley("help", "serve");
  const promised = "host port data memory database services credentials config tls secret-key allow-network";
  for (const flag of promised.split(" "))
    expect(output).toMatch(new RegExp(`--${flag} .*MEDLEY_${flag.toUpperCase().replaceAll("-", "_")} +\\S`));
  expect((await medley()).output).toBe(help);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect((await medley("--version")).output).toBe(`${version}\n`);
  expect(await medley("help", "fly")).toMatchObject({ code: 2 });
  expect((await medley("sevre")).errors).toMatch(
    /^medley: there is no command "sevre"; did you mean "serve"\?\n/,
  );
});

it.each(["bash", "zsh", "fish"])("completes commands and flags in %s", async (shell) => {
  const { code, output } = await medley("completion", shell);
  expect(code).toBe(0);
  for (const word of ["serve", "credentials", "robotics", "trusted-proxies"]) expect(output).toContain(word);
});
it("completes words and flags of every command in a real bash", async () => {
  const { output } = await medley("completion", "bash");
  const cases: readonly [line: string, completed: string | RegExp][] = [
    ["clo", "clock"],
    ["help clo", "clock"],
    ["serve --public", "--public-url"],
    ["objects ", "verify sweep move"],
    ["objects mo", "move"],
    ["objects move --", /^--to --config /],
    ["objects move --to ", "s3 database"],
    ["state import --acc", "--account"],
    ["state reset --account", "--account"],
    ["credentials --js", "--json"],
    ["credentials cr", "create"],
    ["credentials create --k", "--kind"],
    ["credentials create --kind acc", "accessKey"],
    ["credentials revoke --k", ""],
    ["services --js", "--json"],
    ["seed braille rob", "robotics"],
    ["functions deploy folder --en", "--entry-point"],
    ["backup ver", "verify"],
    ["completion ba", "bash"],
    ["podcasts import tsconfig.js", "tsconfig.json"],
  ];
  const asking = cases.map(([line]) => {
    const words = ["medley", ...line.split(" ")];
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_medley; echo "\${COMPREPLY[@]}"`;
  });
  const root = join(import.meta.dirname, "../..");
  const script = [output, ...asking].join("\n");
  const completed = execFileSync("bash", ["-c", script], { encoding: "utf8", cwd: root }).split("\n");
  for (const [index, [line, wanted]] of cases.entries())
    expect([line, completed[index]]).toEqual([
      line,
      typeof wanted === "string" ? wanted : expect.stringMatching(wanted),
    ]);
  expect(await medley("completion", "tcsh")).toMatchObject({ code: 2 });
});
it("completes the words of every usage line in each shell", async () => {
  const lines = (await medley("help")).output.split("\n").filter((line) => /^ {2}\w/.test(line));
  const verbs = lines.flatMap(
    (line) => /^ {2}([\w-]+) ([a-z][a-z-]*)(?: |$)/.exec(line)?.slice(1, 3).join(" ") ?? [],
  );
  expect(verbs).toContain("language train");
  const [bash, zsh, fish] = await Promise.all(
    ["bash", "zsh", "fish"].map(async (shell) => (await medley("completion", shell)).output),
  );
  for (const [command, verb] of verbs.map((one) => one.split(" "))) {
    for (const script of [bash, zsh])
      expect(script).toMatch(new RegExp(`^ +"2 ${command}"\\) found="[^"]*\\b${verb}\\b`, "m"));
    expect(fish).toMatch(new RegExp(`-n "__medley_after ${command}" -f -a "[^"]*\\b${verb}\\b`));
  }
});

it.skipIf(isFirstPart())(
  "tells what failed (1) from what it did not understand (2), each in one clear line",
  async () => {
    const file = join(data, "a-file");
    writeFileSync(file, "");
    const cases: [string[], number, RegExp][] = [
      [["serve", "extra"], 2, /"extra" is not a flag/],
      [["serve", "--wings"], 2, /there is no flag --wings$/],
      [["serve", "--prot", "0"], 2, /there is no flag --prot; did you mean "--port"\?$/],
      [["serve", "--log-requests", "--memory"], 2, /--log-requests needs a value$/],
      [["serve", "--memory", "--log-requests"], 2, /--log-requests needs a value$/],
      [["serve", "--services", "none", "--memory"], 2, /no service named none/],
      [
        ["serve", "--services", "configuration-data", "--memory"],
        2,
        /needs configuration-stores: name it as well/,
      ],
      [["serve", "--port", "70000"], 2, /--port/],
      [["serve", "--log-level", "loud"], 2, /--log-level/],
      [["serve", "--config", join(data, "none.json")], 2, /none.json/],
      [
        ["serve", "--credentials", join(data, "none.json"), "--memory"],
        1,
        /none.json: there is no such file/,
      ],
      [
        ["serve", "--memory", "--port", new URL(server.url).port],
        1,
        /127\.0\.0\.1:\d+ is in use by another program \(EADDRINUSE\): .*choose another --port/,
      ],
      [
        ["serve", "--database", "postgres://127.0.0.1:1/x", "--data", join(data, "x")],
        1,
        /the database cannot be reached \(.*ECONNREFUSED.*\): start PostgreSQL/,
      ],
      [
        ["serve", "--memory", "--read-database", "postgres://127.0.0.1:1/x"],
        2,
        /--read-database needs --database: SQLite has no standby/,
      ],
      [["serve", "--data", file], 1, /there is a file of that name: give --data a folder/],
      [["serve", "--data", join(file, "below")], 1, /there is a file of that name: give --data a folder/],
      [["services", "extra"], 2, /"extra" is not a flag/],
      [["doctor", "extra"], 2, /"extra" is not a flag/],
      [["clock", "show", "extra", "--data", data], 2, /"extra" is not a flag/],
      [["clock", "advance", "1h", "2h", "--data", data], 2, /"2h" is not a flag/],
      [["state", "reset", "extra", "--data", data], 2, /"extra" is not a flag/],
      [["credentials", "list", "extra", "--data", data], 2, /"extra" is not a flag/],
      [
        ["credentials", "create", "--scope", "nope", "--data", data],
        2,
        /scope "nope" opens nothing.*braille:\*/,
      ],
      [["clock", "advance", "-5h", "--data", data], 2, /"-5h" lies behind: time only moves forward/],
      [["clock", "advance", "--data", data, "--", "-PT5H"], 2, /"-PT5H" lies behind/],
      [["clock", "show", "--url", "http://127.0.0.1:1", "--token", "x"], 1, /no server answers at/],
      [["clock", "show", "--url", server.url, "--token", "x"], 1, /answered 401/],
      [["clock", "show", "--data", join(data, "nothing")], 1, /no data in/],
      [["clock", "stand-still", "--data", data], 2, /say show, freeze, advance, cancel or resume/],
      [["clock", "advance", "--data", data], 2, /by how much/],
      [["state", "--data", data], 2, /say export, import or reset/],
      [
        ["state", "import", join(data, "none.ndjson"), "--data", data],
        1,
        /none.ndjson: there is no such file/,
      ],
      [["state", "export", "--account", "12", "--data", data], 2, /account/],
      [["state", "reset", "--service", "none", "--data", data], 2, /no service named none/],
      [["seed", "none", "--data", data], 2, /no service named none/],
      [["seed", "--account", "999999999999", "--data", data], 2, /no account 999999999999/],
      [["credentials", "fly", "--data", data], 2, /none of list, create and revoke/],
      [["credentials", "--data", join(data, "nothing")], 2, /start the server once/],
    ];
    for (const [words, code, line] of cases) {
      const ended = await medley(...words);
      expect([words, ended.code, ended.errors.trimEnd()]).toEqual([
        words,
        code,
        expect.stringMatching(new RegExp(`^medley ${words[0]}: .*${line.source}`)),
      ]);
      expect(ended.errors.trimEnd().split("\n")).toHaveLength(1);
    }
    expect(existsSync(join(data, "x"))).toBe(false);
  },
);

it("a data folder named by a flag is stronger than an address in the environment", async () => {
  const elsewhere = { MEDLEY_URL: "http://127.0.0.1:1", MEDLEY_TOKEN: "somebody-else" };
  expect((await medleyIn(elsewhere, "clock", "show")).code).toBe(1);
  expect(await medleyIn(elsewhere, "clock", "show", "--data", data)).toMatchObject({ code: 0, errors: "" });
  const byVariable = { MEDLEY_DATA: data };
  expect(await medleyIn(byVariable, "clock", "show")).toMatchObject({ code: 0, errors: "" });
});

it("works on a folder that nobody serves, and leaves it alone where there is nothing to work on", async () => {
  const folder = join(data, "stopped");
  expect((await medley("seed", "scheduler", "--data", folder)).output).toMatch(
    /^demo data in account \d{12}:\n {2}scheduler +[1-9]\d* rows\nto look at it: medley serve --data .*stopped\n$/,
  );
  const mounted = ["--services", "security-tokens,braille", "--data", join(data, "few")];
  expect((await medley("seed", ...mounted)).output).toMatch(/:\n {2}security-tokens +1 row\nto look/);
  const file = join(data, "stopped.ndjson");
  expect((await medley("state", "export", file, "--service", "scheduler", "--data", folder)).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("nightly-report");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const doctor = await medley("doctor", "--data", join(data, "untouched"), "--port", "0");
  expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining("the first start creates it")]);
  expect(existsSync(join(data, "untouched"))).toBe(false);
  expect(await medley("doctor", "--data", folder, "--port", "0")).toMatchObject({ code: 0 });
});

it("the doctor finds what is wrong and says how to fix it", async () => {
  const folder = join(data, "ill");
  mkdirSync(folder);
  writeFileSync(join(folder, "medley.db"), "this is no database, however long it may be".repeat(50));
  writeFileSync(join(folder, "credentials.json"), "{}", { mode: 0o644 });
  const port = new URL(server.url).port;
  const { code, output } = await medley("doctor", "--data", folder, "--port", port);
  expect(code).toBe(1);
  for (const [wrong, fix] of [
    ["database file", "restore the file from a backup"],
    ["credentials file", "chmod 600"],
    [`port ${port}`, "choose another --port"],
  ] as const)
    expect(output).toMatch(new RegExp(`WRONG ${wrong}[^\n]*\n +fix: [^\n]*${fix}`));
  const unreachable = await medley("doctor", "--database", "postgres://127.0.0.1:1/x", "--port", "0");
  expect([unreachable.code, unreachable.output]).toEqual([
    1,
    expect.stringMatching(/WRONG PostgreSQL.*REFUSED/),
  ]);
});
