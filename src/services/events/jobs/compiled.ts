/** Compiles and caches model versions. */
import { compileAlarmModel, compileDetectorModel, type KnownInputs } from "../domain/index.ts";
import type { CompiledModel, EventsContext } from "../state.ts";
import { findVersion } from "../store/index.ts";
import type { ModelRow, VersionRow } from "../tables.ts";

/** Throws a ModelFault if the version does not fit the inputs. Without `inputs`, they are not checked. */
export function compileVersion(
  model: Pick<ModelRow, "kind" | "name" | "key_path">,
  version: Pick<VersionRow, "version" | "definition" | "spelling">,
  inputs: KnownInputs | undefined,
): CompiledModel {
  const stored = JSON.parse(version.definition);
  const key = model.key_path ?? undefined;
  const { spelling } = version;
  if (model.kind === "alarm") {
    const names = { alarmModelName: model.name, alarmModelVersion: String(version.version) };
    return { kind: "alarm", model: compileAlarmModel({ ...stored, ...names, key }, inputs), spelling };
  }
  const { detectorModelDefinition: definition, evaluationMethod } = stored;
  const names = { detectorModelName: model.name, detectorModelVersion: String(version.version) };
  const source = { definition, evaluationMethod, key, ...names };
  return { kind: "detector", model: compileDetectorModel(source, inputs), spelling };
}

/** Undefined if there is no such version. */
export async function findCompiled(
  context: EventsContext,
  model: ModelRow,
  version: number,
): Promise<CompiledModel | undefined> {
  const { compiled } = context.state;
  const known = compiled.find(model.id, version);
  if (known) return known;
  const row = await findVersion(context.db, context.account, model.id, version);
  return row && compiled.keep(model.id, version, compileVersion(model, row, undefined));
}
