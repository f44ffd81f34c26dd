/**
 * Secrets on their way from one instance to another. Each instance seals under a key of its own, so an export seals them
 * anew under a key made for it, which it carries; the import seals them under its own. An instance that was given its key
 * (`--secret-key`) exports them as they are: without that key such an export is useless, and only instances with the
 * same key take it. The key is tried before anything is replaced: on a probe that the export carries, and on every
 * secret that is known to be one.
 */
import { digestOf, SecretBox } from "../auth/secrets.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Service } from "../operation/service.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { ArchivedRow } from "./archive.ts";
import type { Row } from "./rows.ts";

/** As the header of an export says it. */
export type SealNote = { readonly key?: string; readonly keyDigest?: string; readonly probe?: string };
export type Reseal = (row: Row) => Row;
/** Throws where a secret cannot be opened with the key that the export names. */
export type CheckSecrets = (row: ArchivedRow) => void;

const unchanged: Reseal = (row) => row;
const PROBE = "medley";
const digestOfKey = (key: string): string => digestOf(`medley secret key\0${key}`);
/** Nonce, tag and content in base64url; alone in a column or inside its JSON. */
const SEALED = /(?<![\w-])[\w-]{38,}(?![\w-])/g;

function resealing(from: SecretBox, to: SecretBox): Reseal {
  const moved = (text: string): string => {
    const plain = tryOpen(from, text);
    return plain === undefined ? text : to.seal(plain);
  };
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "string" ? value.replace(SEALED, moved) : value,
      ]),
    );
}
/** Only what was sealed with this key can be opened with it: nothing else is ever taken for a secret. */
function tryOpen(box: SecretBox, text: string): string | undefined {
  try {
    return box.open(text);
  } catch {
    return undefined;
  }
}

export function sealForExport(kernel: Kernel): { note: SealNote; reseal: Reseal } {
  const { secretKey } = kernel.config;
  const own = kernel.accounts.secrets;
  if (secretKey !== undefined)
    return { note: { keyDigest: digestOfKey(secretKey), probe: own.seal(PROBE) }, reseal: unchanged };
  const key = kernel.ids.secret(48);
  const box = new SecretBox(key);
  return { note: { key, probe: box.seal(PROBE) }, reseal: resealing(own, box) };
}

export function sealForImport(
  kernel: Kernel,
  { key, keyDigest, probe }: SealNote,
): { reseal: Reseal; checkSecrets: CheckSecrets } {
  const { secretKey } = kernel.config;
  if (keyDigest !== undefined && (secretKey === undefined || digestOfKey(secretKey) !== keyDigest))
    throw kernelErrors.invalidInput(
      "The secrets of the export are sealed with a key that this process was not given: start it with the --secret-key of the process that made the export.",
    );
  const own = kernel.accounts.secrets;
  const box = key === undefined ? own : new SecretBox(key);
  if (probe !== undefined && tryOpen(box, probe) !== PROBE) throw unreadable();
  return {
    reseal: key === undefined ? unchanged : resealing(box, own),
    checkSecrets: checking(box, kernel.services),
  };
}

const unreadable = () =>
  kernelErrors.invalidInput(
    "The secrets of the export cannot be opened with the key that it names: they would be lost.",
  );

/** Columns whose whole text is sealed, by table. */
function sealedColumnsOf(services: readonly Service[]): Map<string, readonly string[]> {
  const columns = new Map<string, readonly string[]>();
  for (const { sealedColumns = {} } of services)
    for (const [table, names] of Object.entries(sealedColumns)) columns.set(table, names);
  return columns;
}
function checking(box: SecretBox, services: readonly Service[]): CheckSecrets {
  const columns = sealedColumnsOf(services);
  const check = (text: unknown) => {
    if (typeof text === "string" && tryOpen(box, text) === undefined) throw unreadable();
  };
  return ({ table, row }) => {
    // Of other credentials only a hash is kept.
    if (table === "medley_credential" && row.kind === "accessKey") check(row.secret);
    for (const column of columns.get(table) ?? []) check(row[column]);
  };
}
