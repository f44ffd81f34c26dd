/** CryptoAPI functions for hashing and decryption. */
import { answering, at, bothSpellings, constant, type Functions } from "../call.ts";
import { GrowingBytes, md5, Rc4 } from "../cryptography.ts";

const PROVIDER = 0x500;
const HANDLES_MAX = 256;
/** Of one call, and of all hashes together: they are not in the memory of the program, which has its own limit. */
const BYTES_MAX = 0x100_0000;
const KEY_BYTES = 16;
/** Key length of the base provider. The rest of the 16 bytes is a zero salt. */
const BASE_KEY_BYTES = 5;

export const cryptographyFunctions: Functions = {
  ...bothSpellings("CryptAcquireContext", 5, (call) => {
    call.process.writeLong(at(call, 0), PROVIDER);
    return 1;
  }),
  CryptCreateHash: answering(5, (call) => {
    const { hashes } = call.process;
    if (hashes.length >= HANDLES_MAX) return 0;
    hashes.push(new GrowingBytes());
    call.process.writeLong(at(call, 4), hashes.length);
    return 1;
  }),
  CryptHashData: answering(4, (call) => {
    const { hashes, memory } = call.process;
    const hash = hashes[at(call, 0) - 1];
    const length = at(call, 2);
    const hashed = hashes.reduce((sum, one) => sum + one.length, 0);
    if (!hash || hashed + length > BYTES_MAX) return 0;
    memory.tryRead(at(call, 1), hash.more(length));
    return 1;
  }),
  CryptDeriveKey: answering(5, (call) => {
    const { hashes, keys } = call.process;
    const hashed = hashes[at(call, 2) - 1];
    if (!hashed || keys.length >= HANDLES_MAX) return 0;
    const key = new Uint8Array(KEY_BYTES);
    key.set(md5(hashed.whole).subarray(0, BASE_KEY_BYTES));
    keys.push(new Rc4(key));
    call.process.writeLong(at(call, 4), keys.length);
    return 1;
  }),
  CryptDecrypt: answering(6, (call) => {
    const { keys, memory } = call.process;
    const key = keys[at(call, 0) - 1];
    const bytes = new Uint8Array(Math.min(call.process.readLong(at(call, 5)) >>> 0, BYTES_MAX));
    if (!key || !memory.tryRead(at(call, 4), bytes)) return 0;
    key.apply(bytes);
    memory.load(at(call, 4), bytes);
    if (at(call, 2) !== 0) key.restart();
    return 1;
  }),
  CryptDestroyHash: constant(1, 1),
  CryptDestroyKey: constant(1, 1),
  CryptReleaseContext: constant(2, 1),
};
