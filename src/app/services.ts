/**
 * All services, in the order of the contract. In the bundle, the build has made outlines, and a mounted
 * service is loaded on first use. Otherwise it is loaded when an instance mounts it.
 */
import { settingsWith } from "#kernel/config";
import type { Manifest } from "#kernel/manifest";
import type { Service } from "#kernel/operation";
import { manifest as backup } from "../services/backup/manifest.ts";
import { type BankSettings, manifest as bank } from "../services/bank/manifest.ts";
import { type BrailleSettings, manifest as braille } from "../services/braille/manifest.ts";
import { type ContributionsSettings, manifest as contributions } from "../services/contributions/manifest.ts";
import { manifest as events } from "../services/events/manifest.ts";
import { type FaceSettings, manifest as face } from "../services/face/manifest.ts";
import { manifest as functions } from "../services/functions/manifest.ts";
import { manifest as language } from "../services/language/manifest.ts";
import { manifest as podcasts } from "../services/podcasts/manifest.ts";
import { manifest as resourceGroups } from "../services/resource-groups/manifest.ts";
import { manifest as robotics } from "../services/robotics/manifest.ts";
import { manifest as securityTokens } from "../services/security-tokens/manifest.ts";
import { manifest as unpack } from "../services/unpack/manifest.ts";
import { type VoiceSettings, manifest as voice } from "../services/voice/manifest.ts";
import { lazyService } from "./lazy-service.ts";
import { outlines } from "./outlines.ts";

type Module = Readonly<Record<string, unknown>>;

export type ServiceEntry = {
  readonly name: string;
  /** Facts that are available without loading the service. */
  readonly manifest?: Manifest;
  /** Synchronous in the bundle, which contains every module. */
  load(): Promise<Module> | Module;
  /** Export name in that module, if not `default`. */
  readonly exported?: string;
};
/** Settings that services add. */
export type ServiceSettings = BankSettings &
  BrailleSettings &
  ContributionsSettings &
  FaceSettings &
  VoiceSettings;

export const serviceTable: readonly ServiceEntry[] = [
  { name: "identity", load: () => import("../services/identity/index.ts") },
  {
    name: "contributions",
    manifest: contributions,
    load: () => import("../services/contributions/index.ts"),
  },
  { name: "unpack", manifest: unpack, load: () => import("../services/unpack/index.ts") },
  { name: "braille", manifest: braille, load: () => import("../services/braille/index.ts") },
  { name: "podcasts", manifest: podcasts, load: () => import("../services/podcasts/index.ts") },
  { name: "robotics", manifest: robotics, load: () => import("../services/robotics/index.ts") },
  { name: "face", manifest: face, load: () => import("../services/face/index.ts") },
  { name: "language", manifest: language, load: () => import("../services/language/index.ts") },
  {
    name: "language-predictions",
    load: () => import("../services/language/index.ts"),
    exported: "predictions",
  },
  { name: "bank", manifest: bank, load: () => import("../services/bank/index.ts") },
  { name: "resource-manager", load: () => import("../services/resource-manager/index.ts") },
  {
    name: "hardware-security-modules",
    load: () => import("../services/hardware-security-modules/index.ts"),
  },
  { name: "configuration-stores", load: () => import("../services/configuration-stores/index.ts") },
  {
    name: "configuration-data",
    load: () => import("../services/configuration-stores/index.ts"),
    exported: "configurationData",
  },
  { name: "api-diagnostics", load: () => import("../services/api-diagnostics/index.ts") },
  { name: "sql-virtual-machines", load: () => import("../services/sql-virtual-machines/index.ts") },
  { name: "sql-databases", load: () => import("../services/sql-databases/index.ts") },
  { name: "scheduler", load: () => import("../services/scheduler/index.ts") },
  { name: "functions", manifest: functions, load: () => import("../services/functions/index.ts") },
  { name: "voice", manifest: voice, load: () => import("../services/voice/index.ts") },
  {
    name: "resource-groups",
    manifest: resourceGroups,
    load: () => import("../services/resource-groups/index.ts"),
  },
  { name: "events", manifest: events, load: () => import("../services/events/index.ts") },
  { name: "backup", manifest: backup, load: () => import("../services/backup/index.ts") },
  {
    name: "security-tokens",
    manifest: securityTokens,
    load: () => import("../services/security-tokens/index.ts"),
  },
];

/** Settings of the kernel and of all services, loaded or not. */
export const settings = settingsWith(serviceTable.flatMap(({ manifest }) => manifest?.settings ?? []));

export class UnknownServiceError extends Error {}

const serviceIn = (module: Module, { exported = "default" }: ServiceEntry): Service =>
  module[exported] as Service;
async function mounted(entry: ServiceEntry): Promise<Service> {
  const outline = outlines[entry.name];
  if (outline) return lazyService(outline, () => serviceIn(entry.load() as Module, entry));
  return serviceIn(await entry.load(), entry);
}
const load = (entries: readonly ServiceEntry[]): Promise<Service[]> => Promise.all(entries.map(mounted));

/** Without names, loads all services. */
export async function loadServices(names?: readonly string[]): Promise<readonly Service[]> {
  if (names === undefined) return load(serviceTable);
  for (const name of names) {
    if (!serviceTable.some((entry) => entry.name === name)) {
      throw new UnknownServiceError(
        `there is no service named ${name}; there are ${serviceTable.map((entry) => entry.name).join(", ")}`,
      );
    }
  }
  const chosen = await load(serviceTable.filter(({ name }) => names.includes(name)));
  for (const service of chosen) await refuseAlone(service, chosen);
  return chosen;
}

/** A service may need another one, which must be named as well. */
async function refuseAlone({ name, needs = [] }: Service, chosen: readonly Service[]): Promise<void> {
  for (const port of needs) {
    const provides = (service: Service) => service.provides?.some((one) => one.port.name === port.name);
    if (chosen.some(provides)) continue;
    const provider = (await load(serviceTable)).find(provides);
    throw new UnknownServiceError(`${name} needs ${provider?.name}: name it as well`);
  }
}
