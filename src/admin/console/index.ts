/** Pages of the console, and a redirect from `/`. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Type } from "@sinclair/typebox";
import { ICON, type Page } from "#kernel/html";
import {
  answer,
  anyone,
  defineErrors,
  defineService,
  media,
  noBody,
  operationsFor,
  type RequestInfo,
  type Service,
} from "#kernel/operation";
import { takesGzip } from "../accept-encoding.ts";
import { ServiceName } from "../wire.ts";
import { appPage } from "./app.ts";
import { BuiltFiles } from "./built.ts";
import { docsIndexPage, operationDocsPage, serviceDocsPage } from "./docs.ts";
import { consoleProtocol } from "./layout.ts";
import { overviewPage } from "./overview.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ noSuchPage: ["NoSuchPage", 404] });
const Html = media("text/html; charset=utf-8");
/** Names of built files contain a content hash. */
const FOR_EVER = "public, max-age=31536000, immutable";
const ICON_FILE = { name: "icon.svg", type: "image/svg+xml", plain: ICON };

const PATH = "/console";
const compress = promisify(gzip);
/** Pages contain no secrets, so compression leaks nothing (BREACH). */
async function sent({ status, html, headers }: Page, request: RequestInfo) {
  if (!takesGzip(request.headers["accept-encoding"]))
    return answer(status, html, { ...headers, vary: "accept-encoding" });
  const packed = await compress(html);
  return answer(status, packed, { ...headers, vary: "accept-encoding", "content-encoding": "gzip" });
}

/**
 * Scripts of a page call the admin API on the same host. The console's host name does not serve that API, so
 * the page redirects.
 */
function shown(request: RequestInfo, render: (origin: string) => Page) {
  const { mountUrl, rawUrl } = request;
  const { origin, protocol, port } = new URL(mountUrl);
  if (mountUrl.endsWith(PATH)) return sent(render(origin), request);
  const location = `${protocol}//localhost${port && `:${port}`}${PATH}${rawUrl}`;
  return answer(302, undefined, { location });
}

function docsOperations(services: () => readonly Service[]) {
  return [
    operation({
      id: "console.docs",
      summary: "Shows the documentation of all services",
      description: "Generated from the declarations of the operations.",
      method: "GET",
      path: "/docs",
      permission: anyone,
      answers: { 200: Html, 302: noBody },
      handle: (_input, { request }) => shown(request, () => docsIndexPage(services())),
    }),
    operation({
      id: "console.docs-of-service",
      summary: "Shows the documentation of one service",
      description: "Lists its operations in groups.",
      method: "GET",
      path: "/docs/{service}",
      permission: anyone,
      params: Type.Object({ service: ServiceName }),
      answers: { 200: Html, 302: noBody },
      errors: [errors.noSuchPage],
      handle({ params }, { request }) {
        const service = services().find(({ name }) => name === params.service);
        if (!service) throw errors.noSuchPage(`There is no service named ${params.service}.`);
        return shown(request, (origin) => serviceDocsPage(service, services(), origin));
      },
    }),
    operation({
      id: "console.docs-of-operation",
      summary: "Shows the documentation of one operation",
      description: "With parameters, responses, errors and an example that can be sent.",
      method: "GET",
      path: "/docs/{service}/{operation}",
      permission: anyone,
      params: Type.Object({
        service: ServiceName,
        operation: Type.String({
          maxLength: 200,
          description: "The operation's name.",
          examples: ["braille.translate"],
        }),
      }),
      answers: { 200: Html, 302: noBody },
      errors: [errors.noSuchPage],
      handle({ params }, { request }) {
        const service = services().find(({ name }) => name === params.service);
        const found = service?.operations.find(({ id }) => id === params.operation);
        if (!service || !found) throw errors.noSuchPage(`There is no operation named ${params.operation}.`);
        return shown(request, (origin) => operationDocsPage(service, found, services(), origin));
      },
    }),
  ];
}

function pageOperations(services: () => readonly Service[]) {
  return [
    operation({
      id: "console.overview",
      summary: "Shows the start page of the console",
      description: "Under a host name of a service, it redirects to the console's own address.",
      method: "GET",
      path: "/",
      permission: anyone,
      answers: { 200: Html, 302: noBody },
      handle: (_input, { request }) => shown(request, (origin) => overviewPage(services(), origin)),
    }),
    ...docsOperations(services),
    operation({
      id: "console.page",
      summary: "Shows a page of the console",
      description:
        "The page loads its content with the session of the console; without a session it shows the sign-in.",
      method: "GET",
      path: "/{page}",
      restOfPath: true,
      permission: anyone,
      params: Type.Object({
        page: Type.String({ maxLength: 4096, description: "Which page.", examples: ["requests"] }),
      }),
      answers: { 200: Html, 302: noBody },
      errors: [errors.noSuchPage],
      handle({ params }, { request }) {
        const page = appPage(params.page, services());
        if (!page) throw errors.noSuchPage("There is no such page.");
        return shown(request, () => page);
      },
    }),
  ];
}

function assetOperation() {
  const files = new BuiltFiles();
  const find = (name: string) => (name === ICON_FILE.name ? ICON_FILE : files.find(name));
  return operation({
    id: "console.asset",
    summary: "Returns a style sheet, script or picture of the console",
    description:
      "Built files have a hash in their name and may be cached for a year, other files for 5 minutes.",
    method: "GET",
    path: "/assets/{name}",
    permission: anyone,
    params: Type.Object({
      name: Type.String({ maxLength: 200, description: "The file's name.", examples: ["icon.svg"] }),
    }),
    headers: Type.Object({
      "accept-encoding": Type.Optional(
        Type.String({ description: "Whether it may come packed.", examples: ["gzip"] }),
      ),
    }),
    answers: { 200: media("text/css", "text/javascript", "image/svg+xml") },
    errors: [errors.noSuchPage],
    handle({ params, headers }) {
      const file = find(params.name);
      if (!file) throw errors.noSuchPage(`There is no asset named ${params.name}.`);
      const isPacked = "packed" in file && takesGzip(headers["accept-encoding"]);
      return answer(200, isPacked ? file.packed : file.plain, {
        "content-type": file.type,
        "cache-control": "packed" in file ? FOR_EVER : "public, max-age=300",
        "x-content-type-options": "nosniff",
        vary: "accept-encoding",
        ...(isPacked && { "content-encoding": "gzip" }),
      });
    },
  });
}

export const consoleService = (services: () => readonly Service[]): Service =>
  defineService({
    name: "console",
    title: "Console",
    summary: "Pages for people.",
    mount: "/console",
    protocol: consoleProtocol,
    operations: [...pageOperations(services), assetOperation()],
  });

export const rootService: Service = defineService({
  name: "root",
  title: "Root",
  summary: "Leads to the console.",
  mount: "/",
  protocol: consoleProtocol,
  operations: [
    operation({
      id: "root.redirect",
      summary: "Leads to the console",
      method: "GET",
      path: "/",
      permission: anyone,
      answers: { 302: noBody },
      handle: () => answer(302, undefined, { location: "/console" }),
    }),
    operation({
      id: "root.icon",
      summary: "The picture beside the title, which browsers ask for by themselves",
      method: "GET",
      path: "/favicon.ico",
      permission: anyone,
      answers: { 200: media("image/svg+xml") },
      handle: () =>
        answer(200, ICON, { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" }),
    }),
  ],
});
