/** Where things lie in the address space of an emulated process. */
export const STACK_TOP = 0x0013_0000;
export const STACK_BYTES = 0x10_0000;
/** As a program finds it: the address that it returns to lies there. */
export const START_OF_STACK = STACK_TOP - 0x44;
export const TEB = 0x7ffd_e000;
export const PEB = 0x7ffd_f000;
export const HEAP_START = 0x0200_0000;
export const HEAP_END = 0x2000_0000;
/** From here on everything is the system's: first its libraries, one after another. */
export const SYSTEM_START = 0x7500_0000;
export const LIBRARY_BYTES = 0x10_0000;
/** Addresses by which the system hears that a call into the program has come back. */
export const RETURNS = 0x7ffc_0000;
export const OWN_PATH = "C:\\samples\\sample.exe";
export const PROCESS_ID = 0x4d8;
/** Why a library or a callback is called: a process has loaded it. */
export const ATTACHED = 1;
