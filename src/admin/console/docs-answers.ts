/** Example requests and responses of operations, recorded with the demo data (tools/doc-answers.mjs). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html, type Markup } from "#kernel/html";
import type { Operation, OperationExamples, Service } from "#kernel/operation";
import { workerFile } from "#kernel/workers";

type Seen = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly type?: string;
  readonly answer?: string;
};
const FOLDER = join(workerFile(import.meta.url, "console"), "answers");

const known = new Map<string, Readonly<Record<string, Seen>>>();
function seenOf(service: string): Readonly<Record<string, Seen>> {
  const before = known.get(service);
  if (before) return before;
  const file = join(FOLDER, `${service}.json`);
  const read = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  known.set(service, read);
  return read;
}

export const findSeen = ({ name }: Service, { id }: Operation): Seen | undefined => seenOf(name)[id];

/** Values of the path parameters, by declared name. */
function paramsOf(mount: string, path: string, sent: string): Record<string, string> {
  const parts = sent.slice(mount === "/" ? 0 : mount.length).split("/");
  const params: Record<string, string> = {};
  for (const [at, part] of path.split("/").entries()) {
    const [, name, verb = ""] = /^\{(\w+)\}(:.*)?$/.exec(part) ?? [];
    if (name !== undefined) params[name] = decodeURIComponent(parts[at] ?? "").replace(verb, "");
  }
  return params;
}
/** The recorded request, else the example of the declaration. */
export function exampleOf(service: Service, operation: Operation): OperationExamples {
  const seen = findSeen(service, operation);
  if (!seen) return operation.examples ?? {};
  const { pathname, searchParams } = new URL(seen.path, "http://localhost");
  return {
    params: paramsOf(service.mount, operation.path, pathname),
    query: Object.fromEntries(searchParams),
    body: seen.body,
  };
}

export function seenAnswer(service: Service, operation: Operation): Markup {
  const seen = findSeen(service, operation);
  // Services of other packages have none.
  if (!seen)
    return html`<p>This page shows no recorded answer, because this service is not part of the recorded run.</p>`;
  const got = [`${seen.status}${seen.type ? ` ${seen.type}` : ""}`, ...(seen.answer ? [seen.answer] : [])];
  return html`<h4>Its answer, from a run over the demo data</h4>
<pre tabindex="0" class="got"><code>${got.join("\n")}</code></pre>`;
}
