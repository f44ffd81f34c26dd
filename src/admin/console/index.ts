/** The console's first pages, and `/`, which leads there. */
import { answer, anyone, defineService, media, noBody, operationsFor, type Service } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { adminProtocol } from "../protocol.ts";

const operation = operationsFor<unknown>();

export const consoleService = (_kernel: Kernel, services: () => readonly Service[]): Service =>
  defineService({
    name: "console",
    title: "Console",
    summary: "Pages for people.",
    mount: "/console",
    protocol: adminProtocol,
    operations: [
      operation({
        id: "console.overview",
        summary: "Services, mounts and recent requests",
        method: "GET",
        path: "/",
        permission: anyone,
        answers: { 200: media("text/html; charset=utf-8") },
        handle: () =>
          services()
            .map((service) => service.title)
            .join(", "),
      }),
    ],
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
