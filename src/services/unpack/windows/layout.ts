/** Address space layout of an emulated process. */
export const STACK_TOP = 0x0013_0000;
export const STACK_BYTES = 0x10_0000;
/** Initial stack pointer. The return address lies there. */
export const START_OF_STACK = STACK_TOP - 0x44;
/** Initial stack pointer of a 64-bit program, whose stack is aligned before each call. */
export const LONG_START_OF_STACK = STACK_TOP - 0x48;
export const TEB = 0x7ffd_e000;
export const PEB = 0x7ffd_f000;
export const HEAP_START = 0x0200_0000;
export const HEAP_END = 0x2000_0000;
/**
 * Range of the system: first its libraries, one after another. Images of 64-bit processes may lie behind it.
 */
export const SYSTEM_START = 0x7500_0000;
export const SYSTEM_END = 0x8000_0000;
export const isOfSystem = (address: number): boolean => address >= SYSTEM_START && address < SYSTEM_END;
export const LIBRARY_BYTES = 0x10_0000;
/** Return addresses that notify the system when a call into the program returns. */
export const RETURNS = 0x7ffc_0000;
export const OWN_PATH = "C:\\samples\\sample.exe";
export const PROCESS_ID = 0x4d8;
export const THREAD_ID = 0x4dc;
/** Reason code of a library entry point or TLS callback: process attach. */
export const ATTACHED = 1;
