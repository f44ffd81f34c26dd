/** Bytes as people look at them: place, sixteen in hex, and the letters among them. */

const ROW = 16;
const SHOWN_BYTES_MAX = 16_384;

export function hexText(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, SHOWN_BYTES_MAX); at += ROW) {
    const row = [...bytes.subarray(at, at + ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0"));
    const left = hex.slice(0, ROW / 2).join(" ");
    const right = hex.slice(ROW / 2).join(" ");
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."));
    lines.push(
      `${at.toString(16).padStart(6, "0")}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${letters.join("")}`,
    );
  }
  if (bytes.length > SHOWN_BYTES_MAX) lines.push(`… ${bytes.length - SHOWN_BYTES_MAX} more bytes`);
  return lines.join("\n");
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
