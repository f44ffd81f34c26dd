/** Tables that the console shows for this service. */
import { sizeText } from "#kernel/bytes";
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { KINDS, kinds } from "./domain/containers.ts";
import type { FaceContext } from "./state.ts";
import { listContainers } from "./store/containers.ts";
import { listReadableSnapshots } from "./store/snapshots.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Groups and lists",
    madeBy: "face.person-groups.create",
    columns: ["Kind", "Id", "Name", "Persons", "Faces", "Model", "Training", "Trained"],
    async rows({ db, account }: FaceContext, limit) {
      const rows = [];
      for (const kind of KINDS)
        for (const container of await listContainers(db, account, kind, { limit }))
          rows.push([
            kinds[kind].words,
            container.id,
            container.name,
            kinds[kind].personsMax > 0 ? container.personCount : "",
            container.faceCount,
            container.recognitionModel,
            kind === "facelist" ? "not needed" : (container.training?.status ?? "never"),
            container.trained ? isoOf(container.trained.atMs) : "",
          ]);
      return rows.slice(0, limit);
    },
  },
  {
    title: "Snapshots",
    madeBy: "face.snapshots.take",
    columns: ["Id", "Type", "Of account", "Scope", "Taken", "Expires"],
    async rows({ db, account, clock }: FaceContext, limit) {
      const snapshots = await listReadableSnapshots(db, account, { nowMs: clock.nowMs(), limit });
      return snapshots.map(({ id, source, owner, applyScope, createdAtMs, expiresAtMs }) => [
        id,
        kinds[source.kind].snapshotType,
        owner,
        applyScope.join(" "),
        isoOf(createdAtMs),
        isoOf(expiresAtMs),
      ]);
    },
  },
  {
    title: "Indexes in memory",
    madeBy: "face.identify",
    columns: ["Of", "Faces", "Size", "Used"],
    async rows({ account, state }: FaceContext, limit) {
      return state.indexes
        .report(account)
        .slice(0, limit)
        .map(({ name, faces, bytes, lastUsedAtMs }) => [name, faces, sizeText(bytes), isoOf(lastUsedAtMs)]);
    },
  },
];
