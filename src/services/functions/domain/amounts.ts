/** Memory and processors, as they are written in a function's settings. */
import { errors } from "../errors.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 1000,
  K: 1000,
  M: 1000 ** 2,
  G: 1000 ** 3,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};
const AMOUNT = /^(\d{1,12})([kKMG]i?)?$/;
const CPU = /^\d{1,2}(\.\d{1,4})?$/;
const MEMORY_BYTES_MIN = 64 * 1000 ** 2;
const MEMORY_BYTES_MAX = 32 * 1024 ** 3;
const CPU_MIN = 0.08;
const CPU_MAX = 8;

export function memoryBytesOf(text: string): number {
  const [, count = "", unit = ""] = AMOUNT.exec(text) ?? [];
  const bytes = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (count === "" || !(bytes >= MEMORY_BYTES_MIN && bytes <= MEMORY_BYTES_MAX))
    throw errors.invalidArgument(
      `serviceConfig.availableMemory must be an amount from 64M to 32Gi, such as 256M or 1Gi, not "${text}".`,
    );
  return bytes;
}
export function cpusOf(text: string): number {
  const cpu = CPU.test(text) ? Number(text) : Number.NaN;
  if (!(cpu >= CPU_MIN && cpu <= CPU_MAX))
    throw errors.invalidArgument(
      `serviceConfig.availableCpu must be a number of processors from ${CPU_MIN} to ${CPU_MAX}, not "${text}".`,
    );
  return cpu;
}
