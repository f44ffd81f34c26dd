/**
 * Secrets in exports. Each instance encrypts with its own key. So an export encrypts secrets again with a new key,
 * which it contains, and the import encrypts them with its own. An instance with `--secret-key` exports them
 * unchanged: such an export is useless without that key, and only instances with the same key accept it. The key is
 * tried before anything is replaced: on a probe in the export, and on every known secret.
 */
import { digestOf, SecretBox } from "../auth/secrets.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Service } from "../operation/service.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { ArchivedRow } from "./archive.ts";
import type { Row } from "./rows.ts";

/** As in the header of an export. */
export type SealNote = { readonly key?: string; readonly keyDigest?: string; readonly probe?: string };
export type Reseal = (row: Row) => Row;
/** Throws if a secret cannot be decrypted with the key that the export names. */
export type CheckSecrets = (row: ArchivedRow) => void;

const unchanged: Reseal = (row) => row;
const PROBE = "medley";
const digestOfKey = (key: string): string => digestOf(`medley secret key\0${key}`);
/** Nonce, tag and content in base64url; a whole column or inside its JSON. */
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
/** Only text that was encrypted with this key can be decrypted, so nothing else is mistaken for a secret. */
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

/** Columns that are encrypted as a whole, by table. */
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
    // Other credentials are stored as a hash only.
    if (table === "medley_credential" && row.kind === "accessKey") check(row.secret);
    for (const column of columns.get(table) ?? []) check(row[column]);
  };
}
