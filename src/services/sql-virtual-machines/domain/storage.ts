/** Validation of storage: disks for data, logs and temporary data. */
import { machineErrors as errors } from "../errors.ts";

const MEMBER = "properties.storageConfigurationSettings";
const UNIT_MAX = 63;
/** System drives cannot hold databases, except temporary ones on D. */
const FILE_PATH = /^[C-Z]:\\[^<>:"|?*\r\n]*$/i;

type Drive = { readonly luns?: readonly number[]; readonly defaultFilePath?: string };
type Use = "sqlDataSettings" | "sqlLogSettings" | "sqlTempDbSettings";
type StorageConfiguration = { readonly diskConfigurationType?: string } & { readonly [U in Use]?: Drive };

export function checkStorage(settings: StorageConfiguration): void {
  const uses = (["sqlDataSettings", "sqlLogSettings", "sqlTempDbSettings"] as const).flatMap((use) => {
    const drive = settings[use];
    return drive === undefined ? [] : [[use, drive] as const];
  });
  if (settings.diskConfigurationType === undefined && uses.length > 0)
    throw errors.storageConfigurationIncomplete("Say how the disks are to be configured.", {
      target: `${MEMBER}.diskConfigurationType`,
    });
  for (const [use, drive] of uses) checkDrive(use, drive, settings.diskConfigurationType);
  checkSharing(uses.map(([, drive]) => drive));
}

function checkDrive(use: Use, { luns = [], defaultFilePath }: Drive, kind: string | undefined): void {
  const target = `${MEMBER}.${use}`;
  const unitsFit = luns.every((unit) => unit >= 0 && unit <= UNIT_MAX) && new Set(luns).size === luns.length;
  if (!unitsFit)
    throw errors.invalidUnit(`Logical units are different numbers from 0 to ${UNIT_MAX}.`, {
      target: `${target}.luns`,
    });
  if (kind === "EXTEND") {
    if (luns.length === 0 || defaultFilePath !== undefined)
      throw errors.invalidExtension("Extending a drive takes logical units and no path.", { target });
    return;
  }
  const drive = driveOf(defaultFilePath);
  // Temporary data may be on the local disk, which has no LUNs.
  const isLocal = use === "sqlTempDbSettings" && drive === "D";
  if (defaultFilePath === undefined || (luns.length === 0 && !isLocal))
    throw errors.storageConfigurationIncomplete("A drive needs its logical units and a path.", { target });
  if (!FILE_PATH.test(defaultFilePath) || drive === "C" || (drive === "D" && !isLocal))
    throw errors.invalidFilePath(`'${defaultFilePath}' is not a path on a data disk, such as F:\\data.`, {
      target: `${target}.defaultFilePath`,
    });
}
const driveOf = (path: string | undefined): string | undefined => path?.[0]?.toUpperCase();

/** Uses of the same drive need the same LUNs. Different drives cannot share LUNs. */
function checkSharing(drives: readonly Drive[]): void {
  for (const [position, first] of drives.entries()) {
    for (const second of drives.slice(position + 1)) checkPair(first, second);
  }
}
function checkPair(first: Drive, second: Drive): void {
  const [one, other] = [first.luns ?? [], second.luns ?? []];
  const letters = [driveOf(first.defaultFilePath), driveOf(second.defaultFilePath)];
  if (letters.includes(undefined)) return;
  const equal = [...one].sort().join() === [...other].sort().join();
  if (letters[0] === letters[1] && !equal)
    throw errors.unitsOfSameDrive(`Drive ${letters[0]} is given two different sets of logical units.`, {
      target: MEMBER,
    });
  if (letters[0] !== letters[1] && one.some((unit) => other.includes(unit)))
    throw errors.unitsOfDifferentDrives("Two drives cannot share a logical unit.", { target: MEMBER });
}
