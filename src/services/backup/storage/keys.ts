/**
 * Values derived from a vault's key: a key for chunks, a key for their names, and the table for cut
 * positions.
 */
import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;
const GEAR_ENTRIES = 256;

export type VaultKeys = {
  readonly vaultId: string;
  readonly chunkKey: Buffer;
  readonly nameKey: Buffer;
  /**
   * A random number for each byte value. Cut positions differ between vaults, so that chunk sizes do not
   * reveal known files.
   */
  readonly gear: Uint32Array;
};

const KEPT_MAX = 8;
const kept = new Map<string, VaultKeys>();
/** Deriving them takes longer than a small backup. Those of the last vaults are kept. */
export function vaultKeysOf(vaultId: string, vaultKey: Uint8Array): VaultKeys {
  const name = `${vaultId} ${Buffer.from(vaultKey).toString("base64")}`;
  const keys = kept.get(name) ?? deriveKeys(vaultId, vaultKey);
  kept.delete(name);
  kept.set(name, keys);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
  return keys;
}
function deriveKeys(vaultId: string, vaultKey: Uint8Array): VaultKeys {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", vaultKey, vaultId, `medley backup ${purpose}`, bytes));
  const gearBytes = derive("cuts", GEAR_ENTRIES * 4);
  return {
    vaultId,
    chunkKey: derive("chunks", KEY_BYTES),
    nameKey: derive("names", KEY_BYTES),
    gear: Uint32Array.from({ length: GEAR_ENTRIES }, (_, at) => gearBytes.readUInt32LE(at * 4)),
  };
}
