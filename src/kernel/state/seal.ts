/**
 * Secrets on their way from one instance to another. Each instance seals under a key of its own, so an export seals them
 * anew under a key made for it, which it carries; the import seals them under its own. An instance that was given its key
 * (`--secret-key`) exports them as they are: without that key such an export is useless, and only instances with the
 * same key take it.
 */
import { digestOf, SecretBox } from "../auth/secrets.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { Row } from "./rows.ts";

/** As the header of an export says it. */
export type SealNote = { readonly key?: string; readonly keyDigest?: string };
export type Reseal = (row: Row) => Row;

const unchanged: Reseal = (row) => row;
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
  if (secretKey !== undefined) return { note: { keyDigest: digestOfKey(secretKey) }, reseal: unchanged };
  const key = kernel.ids.secret(48);
  return { note: { key }, reseal: resealing(kernel.accounts.secrets, new SecretBox(key)) };
}

export function sealForImport(kernel: Kernel, { key, keyDigest }: SealNote): Reseal {
  if (key !== undefined) return resealing(new SecretBox(key), kernel.accounts.secrets);
  const { secretKey } = kernel.config;
  if (keyDigest !== undefined && (secretKey === undefined || digestOfKey(secretKey) !== keyDigest))
    throw kernelErrors.invalidInput(
      "The secrets of the export are sealed with a key that this process was not given: start it with the --secret-key of the process that made the export.",
    );
  return unchanged;
}
