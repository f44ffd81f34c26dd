/** Detects by static signs whether a file looks packed. */
import { entropyOf } from "../pe/entropy.ts";
import { DIRECTORY, type PeFile, type Section } from "../pe/file.ts";

const EXECUTABLE = 0x2000_0000;
const WRITABLE = 0x8000_0000;
/** Code has a lower entropy, packed data a higher one. */
const PACKED_ENTROPY = 7.1;
const SMALL_BYTES = 0x1000;

export const isExecutable = ({ characteristics }: Section): boolean => (characteristics & EXECUTABLE) !== 0;
export const isWritable = ({ characteristics }: Section): boolean => (characteristics & WRITABLE) !== 0;
export const fileBytesOf = ({ content }: PeFile, { fileOffset, fileBytes }: Section): Uint8Array =>
  content.subarray(fileOffset, fileOffset + fileBytes);

const holds = ({ address, bytes }: Section, place: number): boolean =>
  place >= address && place < address + bytes;

/**
 * Signs: the entry point is in a writable section, a code section is empty in the file, or a section other
 * than the resources has high entropy.
 */
export function looksPacked(file: PeFile): boolean {
  const { sections, entryPoint, directories } = file;
  const entry = sections.find((section) => holds(section, entryPoint));
  if (!entry || isWritable(entry)) return true;
  const resources = directories[DIRECTORY.resources]?.address ?? 0;
  return sections.some((section) => {
    const { bytes, fileBytes } = section;
    if (isExecutable(section) && bytes > SMALL_BYTES && fileBytes * 4 < bytes) return true;
    if (fileBytes < SMALL_BYTES || holds(section, resources)) return false;
    return entropyOf(fileBytesOf(file, section)) > PACKED_ENTROPY;
  });
}
