/** Shannon entropy in bits per byte: 0 for constant data, near 8 for packed or encrypted data. */
export function entropyOf(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] as number) + 1;
  let entropy = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const share = count / bytes.length;
    entropy -= share * Math.log2(share);
  }
  return Math.round(entropy * 1000) / 1000;
}
