/** Instances with the shelf in some version, and what a reader does with it. */
import { type DatabaseKind, type Instance, startInstance } from "../support/medley.ts";
import { type ShelfVersion, shelfService } from "./shelf-service.ts";

export type Reader = "first" | "second";
export const databases = ["sqlite", "postgres"] as const;

export const startShelf = (version: ShelfVersion, on: DatabaseKind, options: object = {}) =>
  startInstance({ on, services: [], extraServices: [shelfService(version)], ...options });

/** More than one chunk. */
export const cover = Buffer.from(new Uint8Array(1_500_000).map((_, i) => (i * 31) % 251));

export async function fillShelf(instance: Instance, as: Reader): Promise<void> {
  const put = (id: string, title: string, more: object = {}) =>
    instance.bearer("PUT", `/shelf/books/${id}`, { as, body: { title, pages: 300, ...more } });
  const answers = [
    await put("one", `Ursula of ${as}: The Long Way`, { lock: `1234 of ${as}` }),
    await put("two", `Ursula of ${as}: Home`),
    await put("three", `Italo of ${as}: Cities`),
    await instance.bearer("PUT", "/shelf/books/one/cover", { as, body: cover }),
    await instance.bearer("POST", "/shelf/books/two:remind", { as }),
  ];
  const statuses = answers.map(({ status }) => status);
  if (statuses.join() !== "201,201,201,204,202") throw new Error(`filling the shelf: ${statuses}`);
}
export const book = async (instance: Instance, id: string, as: Reader = "first") =>
  (await instance.bearer("GET", `/shelf/books/${id}`, { as })).body;
export const exportOf = async (instance: Instance, query = "") =>
  (await instance.bearer("GET", `/_medley/state${query}`)).bytes;
export const importInto = (instance: Instance, archive: Buffer | string) =>
  instance.bearer("PUT", "/_medley/state", {
    body: archive,
    headers: { "content-type": "application/x-ndjson" },
  });
