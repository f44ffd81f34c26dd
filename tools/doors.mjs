/**
 * What a file imports from the door of another room must not lie in a layer above the file's own: the layers hold through
 * doors as well. Read from the syntax, because a door shows what lies in all layers of its room.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { load } from "./installed.mjs";
import layers from "./layers.cjs";

const { parseSync } = load("analysis", "@swc/core");
const TEST_FILE = /\.test\.ts$/;

const bodyOf = (root, file) =>
  parseSync(readFileSync(join(root, file), "utf8"), { syntax: "typescript", target: "es2022" }).body;
const targetOf = (file, { value }) => posix.join(posix.dirname(file), value);

/** By the name that it is shown under: the file that something lies in. */
function shownBy(root, door) {
  const shown = new Map();
  for (const { type, source, specifiers } of bodyOf(root, door))
    if (type === "ExportNamedDeclaration" && source)
      for (const { exported, orig } of specifiers)
        shown.set((exported ?? orig).value, targetOf(door, source));
  return shown;
}

function breachesIn(root, file, doors) {
  const place = layers.placeOf(file);
  return bodyOf(root, file).flatMap(({ type, source, specifiers }) => {
    const door = type === "ImportDeclaration" ? targetOf(file, source) : "";
    const shown = doors.get(door);
    if (!shown || layers.placeOf(door).room === place.room) return [];
    return specifiers.flatMap(({ imported, local }) => {
      const name = (imported ?? local).value;
      const origin = shown.get(name);
      return origin && layers.isUpwards(place, layers.placeOf(origin))
        ? [{ rule: "doors-show-no-higher-layer", text: `${file} -> ${origin} (${name})` }]
        : [];
    });
  });
}

/** All breaches below `root`. */
export function findDoorBreaches(root) {
  return Object.entries(layers.ROOMS).flatMap(([service, rooms]) => {
    const folder = `src/services/${service}`;
    if (!existsSync(join(root, folder))) return [];
    const files = readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith(".ts") && !TEST_FILE.test(file));
    const doors = new Map(
      rooms.map((room) => `${folder}/${room}/index.ts`).map((door) => [door, shownBy(root, door)]),
    );
    return files.flatMap((file) => breachesIn(root, file, doors));
  });
}
