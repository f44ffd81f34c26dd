/** Documentation of every operation, from its declaration; works offline. */

import { html, type Markup, type Page } from "#kernel/html";
import { anyone, isNoBody, mediaTypesOf, type Operation, type Service } from "#kernel/operation";
import { groupsOf } from "./docs-groups.ts";
import { renderConsolePage } from "./layout.ts";

type Schema = Operation["body"];

/** Text between backticks is code. */
const proseOf = (text: string): Markup =>
  html`${text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

function typeOf(schema: NonNullable<Schema>): string {
  if (Array.isArray(schema.anyOf)) {
    const consts = schema.anyOf.map((one: NonNullable<Schema>) => one.const);
    return consts.every((value: unknown) => value !== undefined)
      ? consts.map((value: unknown) => JSON.stringify(value)).join(" | ")
      : schema.anyOf.map(typeOf).join(" | ");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array" && schema.items) return `${typeOf(schema.items)}[]`;
  return String(schema.type ?? "any");
}
function limitsOf(schema: NonNullable<Schema>): string {
  const names = [
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "pattern",
    "format",
    "default",
  ] as const;
  return names
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`)
    .join(", ");
}

function membersTable(title: string, schema: Schema): Markup | undefined {
  const members = Object.entries((schema?.properties ?? {}) as Record<string, NonNullable<Schema>>);
  if (members.length === 0) return undefined;
  const required = new Set<string>(schema?.required ?? []);
  const row = ([name, member]: [
    string,
    NonNullable<Schema>,
  ]) => html`<tr><th scope="row"><code>${name}</code>${required.has(name) && member.default === undefined ? html` <span class="required">required</span>` : false}</th>
<td><code>${typeOf(member)}</code> <small>${limitsOf(member)}</small>${member.description !== undefined && html`<small>${proseOf(String(member.description))}</small>`}</td></tr>`;
  return html`<h4>${title}</h4><table class="members stacking"><tbody>${members.map(row)}</tbody></table>`;
}

function credentialFlag(service: Service, operation: Operation): string {
  if (operation.permission === anyone) return "";
  switch (service.protocol.security?.name) {
    case "apiKey":
      return ` -H "${String(service.protocol.security.scheme.name)}: $MEDLEY_API_KEY"`;
    case "basic":
      return ' -u "$MEDLEY_USERNAME:$MEDLEY_PASSWORD"';
    case "sigv4":
      return ' --aws-sigv4 "aws:amz:us-east-1:SERVICE" -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"'.replace(
        "SERVICE",
        /signed for ([\w-]+)/.exec(String(service.protocol.security.scheme.description))?.[1] ?? service.name,
      );
    default:
      return ' -H "Authorization: Bearer $MEDLEY_TOKEN"';
  }
}
function curlOf(service: Service, operation: Operation, origin: string): string {
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (whole, name) => operation.examples?.params?.[name] ?? whole,
  );
  const query = new URLSearchParams(
    Object.entries(operation.examples?.query ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  const body =
    operation.examples?.body === undefined
      ? ""
      : ` -H "Content-Type: application/json" -d '${JSON.stringify(operation.examples.body).replaceAll("'", "'\\''")}'`;
  const method = operation.method === "GET" ? "" : ` -X ${operation.method}`;
  const address = `curl${method} "${origin}${service.mount}${path}${query ? `?${query}` : ""}"`;
  return [address, credentialFlag(service, operation), body].filter((part) => part !== "").join(" \\\n ");
}

function answersOf(operation: Operation): Markup {
  const answers = Object.entries(operation.answers).map(([status, schema]) => {
    const kind = isNoBody(schema) ? "no body" : (mediaTypesOf(schema)?.join(", ") ?? "JSON");
    return html`<li><code>${status}</code> ${kind}</li>`;
  });
  const errors = (operation.errors ?? []).map(
    ({ status, code }) => html`<li><code>${status}</code> ${code}</li>`,
  );
  return html`<h4>Answers</h4><ul class="answers">${answers}${errors}</ul>`;
}

function operationArticle(service: Service, operation: Operation, origin: string): Markup {
  return html`<details class="operation panel" id="${operation.id}" data-example="${JSON.stringify(operation.examples ?? {})}"><summary><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code> <span class="summary">${proseOf(operation.summary)}</span></summary>
<div class="inside">${operation.description && html`<p>${proseOf(operation.description)}</p>`}
<p class="permission">${operation.permission === anyone ? "No credential needed." : html`Permission <code>${operation.permission}</code>`}</p>
${membersTable("Path", operation.params)}${membersTable("Query", operation.query)}${membersTable("Headers", operation.headers)}${membersTable("Body", operation.body)}
${answersOf(operation)}
<h4>Try it</h4><pre tabindex="0"><code>${curlOf(service, operation, origin)}</code></pre>
<p><a href="/console/try?operation=${operation.id}">Fill in a form and send it</a></p></div></details>`;
}

/** The groups beside the text, with how many operations each has; the app adds a search and marks what is being read. */
function operationsSection(service: Service, origin: string): Markup {
  const groups = groupsOf(service.operations);
  const entry = ({ id, title, operations }: (typeof groups)[number]) =>
    html`<li><a href="#${id}">${title} <small>${operations.length}</small></a></li>`;
  const group = ({ id, title, operations }: (typeof groups)[number]) =>
    html`<section class="docs-group" id="${id}" aria-labelledby="${id}-title"><h3 class="docs-title" id="${id}-title">${title} <small>${operations.length}</small></h3>${operations.map((one) => operationArticle(service, one, origin))}</section>`;
  return html`<section aria-labelledby="operations"><h2 id="operations">Operations <small>${service.operations.length}</small></h2>
<div class="docs"><nav class="docs-nav" aria-label="Groups of operations"><ul>${groups.map(entry)}</ul></nav><div>${groups.map(group)}</div></div></section>`;
}

const pagesSection = ({ pages = [], mount }: Service): Markup =>
  html`<section aria-labelledby="pages"><h2 id="pages">Pages</h2><ul class="cards">${pages.map(
    ({ path, title, summary }) =>
      html`<li class="card"><a href="${mount}${path}">${title}</a><p>${summary}</p></li>`,
  )}</ul></section>`;

export function docsIndexPage(services: readonly Service[]): Page {
  const entry = (service: Service) =>
    html`<li class="card"><a href="/console/docs/${service.name}">${service.title}</a> <small>${service.operations.length} operations</small><p>${service.summary}</p></li>`;
  return renderConsolePage({
    title: "Documentation",
    services,
    heading: "Documentation",
    content: html`<p class="lead muted">Made from the same declarations that route, validate and authorise every request.</p><ul class="cards">${services.map(entry)}</ul>`,
  });
}

export function serviceDocsPage(service: Service, services: readonly Service[], origin: string): Page {
  return renderConsolePage({
    title: service.title,
    services,
    heading: service.title,
    content: html`<p class="lead">${service.summary}</p>
<p class="lead muted">Mounted at <code>${origin}${service.mount}</code> · <a href="/_medley/openapi/${service.name}.json">OpenAPI 3.1</a></p>
${service.pages?.length ? pagesSection(service) : false}
${service.console?.length ? html`<p><a href="/console/services/${service.name}">What it holds at the moment</a></p>` : false}
${operationsSection(service, origin)}`,
  });
}
