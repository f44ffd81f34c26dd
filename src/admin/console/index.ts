/** The console's pages, and `/`, which leads there. */
import { Type } from "@sinclair/typebox";
import {
  answer,
  anyone,
  defineErrors,
  defineService,
  media,
  noBody,
  operationsFor,
  type Service,
} from "#kernel/operation";
import { adminProtocol } from "../protocol.ts";
import { icon, script, styleSheet } from "./assets.ts";
import { docsIndexPage, serviceDocsPage } from "./docs.ts";
import { pageHeaders } from "./html.ts";
import { overviewPage } from "./overview.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ noSuchPage: ["NoSuchPage", 404] });
const Html = media("text/html; charset=utf-8");
const assets: Readonly<Record<string, readonly [type: string, content: string]>> = {
  "console.css": ["text/css; charset=utf-8", styleSheet],
  "console.js": ["text/javascript; charset=utf-8", script],
  "icon.svg": ["image/svg+xml", icon],
};
const originOf = (mountUrl: string): string => new URL(mountUrl).origin;

function pageOperations(services: () => readonly Service[]) {
  return [
    operation({
      id: "console.overview",
      summary: "Services, mounts and recent requests",
      method: "GET",
      path: "/",
      permission: anyone,
      answers: { 200: Html },
      handle: (_input, { request }) =>
        answer(200, overviewPage(services(), originOf(request.mountUrl)), pageHeaders),
    }),
    operation({
      id: "console.docs",
      summary: "Documentation of all services",
      method: "GET",
      path: "/docs",
      permission: anyone,
      answers: { 200: Html },
      handle: () => answer(200, docsIndexPage(services()), pageHeaders),
    }),
    operation({
      id: "console.docs-of-service",
      summary: "Documentation of one service",
      method: "GET",
      path: "/docs/{service}",
      permission: anyone,
      params: Type.Object({ service: Type.String() }),
      answers: { 200: Html },
      errors: [errors.noSuchPage],
      handle({ params }, { request }) {
        const service = services().find(({ name }) => name === params.service);
        if (!service) throw errors.noSuchPage(`There is no service named ${params.service}.`);
        return answer(200, serviceDocsPage(service, originOf(request.mountUrl)), pageHeaders);
      },
    }),
    operation({
      id: "console.asset",
      summary: "Style, script, picture",
      method: "GET",
      path: "/assets/{name}",
      permission: anyone,
      params: Type.Object({ name: Type.String() }),
      answers: { 200: media("text/css", "text/javascript", "image/svg+xml") },
      errors: [errors.noSuchPage],
      handle({ params }) {
        const asset = Object.hasOwn(assets, params.name) ? assets[params.name] : undefined;
        if (!asset) throw errors.noSuchPage(`There is no asset named ${params.name}.`);
        const [type, content] = asset;
        return answer(200, content, {
          "content-type": type,
          "cache-control": "public, max-age=300",
          "x-content-type-options": "nosniff",
        });
      },
    }),
  ];
}

export const consoleService = (services: () => readonly Service[]): Service =>
  defineService({
    name: "console",
    title: "Console",
    summary: "Pages for people.",
    mount: "/console",
    protocol: adminProtocol,
    operations: pageOperations(services),
  });

export const rootService: Service = defineService({
  name: "root",
  title: "Root",
  summary: "Leads to the console.",
  mount: "/",
  protocol: adminProtocol,
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
  ],
});
