/** The OpenAPI documents of all services, judged by tools that other people use: Redocly's linter and swagger-parser. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import { commandOf, load } from "../../tools/installed.mjs";

const SwaggerParser = load("openapi", "@apidevtools/swagger-parser");
const services = await loadServices();
/** Each service alone, and all of them together. */
const documents = [services, ...services.map((service) => [service])].map((some) => ({
  name: some.length === 1 ? (some[0]?.name ?? "") : "all",
  document: openApiOf(some, "http://127.0.0.1:4020"),
}));
let folder = "";
const fileOf = (name: string) => join(folder, `${name}.json`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "openapi-"));
  for (const { name, document } of documents) writeFileSync(fileOf(name), JSON.stringify(document));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("swagger-parser finds every document valid", async () => {
  for (const { name } of documents)
    expect(await SwaggerParser.validate(fileOf(name)).then(() => "valid", String), name).toBe("valid");
}, 600_000);

type Problem = {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
};
/** The contract's paths of signed services end with a slash. */
const WORDS = ["lint", "--extends=recommended", "--skip-rule=no-path-trailing-slash", "--format=json"];
/** Warnings about what is promised and described truly. */
const ACCEPTED = [
  // Words such as `customprebuiltdomains` are promised beside a parameter. The server prefers the word.
  "no-ambiguous-paths",
  // Forms answer with a redirect only.
  "operation-2xx-response",
];
/** The rule takes a member that only one of two shapes requires for one that both may omit. */
const isUnjust = ({ ruleId, message }: Problem) =>
  ruleId === "no-illogical-composition-keywords" && /an optional property cannot distinguish/.test(message);
it("Redocly's recommended rules find no error and only accepted warnings in the document of all services", () => {
  const { stdout } = spawnSync(commandOf("openapi", "redocly"), [...WORDS, fileOf("all")], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  const { totals, problems } = JSON.parse(stdout) as {
    readonly totals: { readonly errors: number };
    readonly problems: readonly Problem[];
  };
  const unexpected = problems.filter((problem) => !ACCEPTED.includes(problem.ruleId) && !isUnjust(problem));
  expect(
    unexpected.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  ).toEqual([]);
  expect(totals.errors).toBe(0);
}, 600_000);
