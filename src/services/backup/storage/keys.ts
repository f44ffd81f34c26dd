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

export function vaultKeysOf(vaultId: string, vaultKey: Uint8Array): VaultKeys {
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
