/** The OpenAPI documents that the build saves are those that a server would make. */
import { expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { startMedley } from "../../src/app/start.ts";
import { openApiOf } from "../../src/kernel/openapi/index.ts";
import { findSavedDocument } from "../../src/kernel/openapi/saved-documents.ts";

/** Texts of a megabyte are compared by `===`, because a difference of that size helps nobody. */
const isSame = (bytes: Uint8Array | undefined, text: string): boolean => String(bytes) === text;
type One = { readonly name: string; readonly mount: string; readonly operations: readonly unknown[] };
const find = (services: readonly One[]) =>
  findSavedDocument(
    services.map(({ name, mount, operations }) => ({ name, mount, operations: operations.length })),
  );
const pathsOf = (bytes: Uint8Array | undefined): string[] => Object.keys(JSON.parse(String(bytes)).paths);

it("each service has one, as it is declared now", async () => {
  for (const service of await loadServices()) {
    const text = JSON.stringify(openApiOf([service], ""));
    expect([service.name, isSame(await find([service]), text)]).toEqual([service.name, true]);
  }
});
it("all services have one, which a server sends with its own address", async () => {
  const medley = await startMedley();
  const read = async (path: string) => (await fetch(`${medley.url}/_medley/${path}`)).text();
  const { services } = JSON.parse(await read("services")) as {
    services: { name: string; mount: string; operations: number }[];
  };
  const saved = await findSavedDocument(services);
  const sent = (await read("openapi.json")).replace(`"url":"${medley.url}"`, '"url":""');
  expect(isSame(saved, sent)).toBe(true);
  const singles = await Promise.all(services.map(async (one) => pathsOf(await findSavedDocument([one]))));
  expect(pathsOf(saved).sort()).toEqual(singles.flat().sort());
  await medley.stop();
});
it("other sets of services have none", async () => {
  const [one, two] = await loadServices();
  expect(await find([one!, two!])).toBeUndefined();
});
