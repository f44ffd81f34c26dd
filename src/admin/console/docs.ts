/** Documentation of every operation, generated from its declaration. It works offline. */

import { html, type Markup, type Page } from "#kernel/html";
import { aroundOf, derivedSentencesOf, openApiOperationOf } from "#kernel/openapi";
import { isNoBody, mediaTypesOf, type Operation, type Service } from "#kernel/operation";
import { exampleOf, seenAnswer } from "./docs-answers.ts";
import { curlOf, requestsCallOf } from "./docs-calls.ts";
import { errorsList, errorsOf } from "./docs-errors.ts";
import { groupsOf } from "./docs-groups.ts";
import { type Parameter, parameterRows, proseOf, rowsOf, rowsTable, type Schema } from "./docs-members.ts";
import { renderConsolePage } from "./layout.ts";

function answersOf(operation: Operation): Markup {
  const answers = Object.entries(operation.answers).map(([status, schema]) => {
    const kind = isNoBody(schema) ? "no body" : (mediaTypesOf(schema)?.join(", ") ?? "JSON");
    return html`<li><code>${status}</code> ${kind}</li>`;
  });
  return html`<h4>Answers</h4><ul class="answers">${answers}</ul>`;
}

/** A long path breaks between its parts. */
const pathInParts = (path: string): Markup =>
  html`${path.split(/(?<=.\/)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)}`;
/** Operations that create or find the prerequisites, and operations that can follow. */
function aroundList(service: Service, operation: Operation): Markup | false {
  const { before, after } = aroundOf(service, operation);
  const links = (title: string, list: readonly Operation[]) =>
    list.length > 0 &&
    html`<dt>${title}</dt>${list.map(({ id, method, path }) => html`<dd><a href="/console/docs/${service.name}/${id}">${method} <code>${pathInParts(path)}</code></a></dd>`)}`;
  if (before.length + after.length === 0) return false;
  return html`<dl class="around">${links("Call first", before)}${links("Related", after)}</dl>`;
}

type Described = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
function tablesOf(service: Service, operation: Operation): Markup {
  const { parameters = [], requestBody } = openApiOperationOf(service, operation) as Described;
  const [body] = Object.values(requestBody?.content ?? {});
  return html`${rowsTable("Path", parameterRows(parameters, "path"))}${rowsTable("Query", parameterRows(parameters, "query"))}${rowsTable("Headers", parameterRows(parameters, "header"))}${body && rowsTable("Body", rowsOf(body.schema))}`;
}

/** Entry in the list: summary and link. The app loads the details in place. */
const operationEntry = (service: Service, operation: Operation): Markup =>
  html`<details class="operation panel" id="${operation.id}"><summary><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code> <span class="summary">${proseOf(operation.summary)}</span></summary>
<div class="inside"><p><a class="whole" href="${addressOf(service, operation)}">Parameters, answers and errors</a></p></div></details>`;
const addressOf = ({ name }: Service, { id }: Operation): string => `/console/docs/${name}/${id}`;

/** Complete documentation of one operation. Operations that its description names are links. */
function operationInside(service: Service, operation: Operation, origin: string): Markup {
  const hrefOf = (code: string): string | undefined => {
    const named = service.operations.find(({ id }) => id === code);
    return named && addressOf(service, named);
  };
  const python = requestsCallOf(service, operation, origin);
  return html`<div class="inside operation-whole" data-example="${JSON.stringify(exampleOf(service, operation))}" data-operation="${operation.id}">${operation.description && html`<p>${proseOf(operation.description, hrefOf)}</p>`}
<p>${derivedSentencesOf(operation).map((sentence) => html`${proseOf(sentence)} `)}</p>
${aroundList(service, operation)}
${tablesOf(service, operation)}
${answersOf(operation)}
${errorsList(errorsOf(service, operation), proseOf)}
<h4>Try it</h4><pre tabindex="0" class="curl"><code>${curlOf(service, operation, origin)}</code></pre>
${python !== undefined && html`<h4>In Python</h4><pre tabindex="0" class="python"><code>${python}</code></pre>`}
${seenAnswer(service, operation)}
<p><a href="/console/try?operation=${operation.id}">Fill in a form and send it</a></p></div>`;
}

/** Navigation with groups and operation counts. The app adds a search and highlights the current group. */
function operationsSection(service: Service): Markup {
  const groups = groupsOf(service.operations);
  const entry = ({ id, title, operations }: (typeof groups)[number]) =>
    html`<li><a href="#${id}">${title} <small>${operations.length}</small></a></li>`;
  const group = ({ id, title, operations }: (typeof groups)[number]) =>
    html`<section class="docs-group" id="${id}" aria-labelledby="${id}-title"><h3 class="docs-title" id="${id}-title">${title} <small>${operations.length}</small></h3>${operations.map((one) => operationEntry(service, one))}</section>`;
  return html`<section aria-labelledby="operations"><h2 id="operations">Operations <small>${service.operations.length}</small></h2>
<div class="docs"><nav class="docs-nav" aria-label="Groups of operations"><div class="docs-find"></div><ul>${groups.map(entry)}</ul></nav><div>${groups.map(group)}</div></div></section>`;
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
${service.console?.length ? html`<p><a href="/console/services/${service.name}">Its tables in the console</a></p>` : false}
${operationsSection(service)}`,
  });
}

export function operationDocsPage(
  service: Service,
  operation: Operation,
  services: readonly Service[],
  origin: string,
): Page {
  return renderConsolePage({
    title: `${operation.method} ${operation.path}`,
    services,
    heading: html`<span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${pathInParts(operation.path)}</code>`,
    content: html`<p class="lead">${proseOf(operation.summary)}</p>
<p class="lead muted"><a href="/console/docs/${service.name}#${operation.id}">${service.title}</a> · <code>${operation.id}</code></p>
<article class="panel docs-whole"><h2 class="unseen">Reference</h2><h3 class="unseen">${operation.id}</h3>${operationInside(service, operation, origin)}</article>`,
  });
}
