/** Finds importable files: events and teams of the archive, and saved answers. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  archivedEventOf,
  archivedTeamsOf,
  EVENT_FILES,
  type EventFile,
  type EventFiles,
  type Read,
} from "../domain/archive.ts";
import { type Line, savedAnswerOf } from "../domain/saved-answers.ts";

/** A unit to import, which can consist of several files. */
export type Source = {
  readonly name: string;
  /** Files of an archived event by kind. */
  readonly files?: ReadonlyMap<EventFile, string>;
  read(): Promise<Read<readonly Line[]>>;
};
export type Sources = { readonly sources: readonly Source[]; readonly ignored: readonly string[] };

const EVENT_FILE = new RegExp(`^(\\d{4}[a-z0-9]{2,20})_(${EVENT_FILES.join("|")})\\.csv$`, "i");

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const textOf = (file: string): Promise<string> => readFile(file, "utf8");

function eventSource(key: string, files: ReadonlyMap<EventFile, string>): Source {
  return {
    name: key,
    files,
    async read() {
      const texts: EventFiles = {};
      for (const [kind, file] of files) texts[kind] = { name: basename(file), text: await textOf(file) };
      const { value, ...rest } = archivedEventOf(key, texts);
      return { value: value ? [{ kind: "event", ...value }] : [], ...rest };
    },
  };
}
/** Teams go to the register, which has no season. */
const teamsSource = (file: string): Source => ({
  name: basename(file),
  async read() {
    const { value, ...rest } = archivedTeamsOf(basename(file), await textOf(file));
    return { value: [{ kind: "teams", season: 0, teams: value }], ...rest };
  },
});
const savedSource = (file: string, shown: string): Source => ({
  name: shown,
  async read() {
    const text = await textOf(file);
    try {
      return savedAnswerOf(file, JSON.parse(text));
    } catch {
      return { value: [], lines: 0, findings: [{ file: shown, line: 0, says: "no JSON" }] };
    }
  },
});

/** Teams come first, because seasons copy names from the register. */
export async function sourcesAt(given: string): Promise<Sources> {
  const place = resolve(given);
  const kind = await stat(place);
  const files = kind.isDirectory() ? await filesBelow(place) : [place];
  const root = kind.isDirectory() ? place : dirname(place);
  const events = new Map<string, Map<EventFile, string>>();
  const teams: Source[] = [];
  const saved: Source[] = [];
  const ignored: string[] = [];
  for (const file of files) {
    const [, key, part] = EVENT_FILE.exec(basename(file)) ?? [];
    if (key !== undefined && part !== undefined) {
      const parts = events.get(key.toLowerCase()) ?? new Map<EventFile, string>();
      events.set(key.toLowerCase(), parts.set(part.toLowerCase() as EventFile, file));
    } else if (/^teams\.csv$/i.test(basename(file))) teams.push(teamsSource(file));
    else if (/\.json$/i.test(file)) saved.push(savedSource(file, relative(root, file)));
    else ignored.push(relative(root, file));
  }
  const found = [...events].map(([key, parts]) => eventSource(key, parts));
  return { sources: [...teams, ...found, ...saved], ignored };
}
