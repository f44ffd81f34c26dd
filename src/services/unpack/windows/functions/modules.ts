/** Module functions: libraries, their exports, and the program's own path. */
import { answering, at, bothSpellings, constant, type Functions, textAt } from "../call.ts";
import { OWN_PATH } from "../layout.ts";

const NO_MODULE = 126;
const NO_FUNCTION = 127;

export const moduleFunctions: Functions = {
  ...bothSpellings("LoadLibrary", 1, ({ process }, text) => process.loadLibrary(text(0))),
  ...bothSpellings("LoadLibraryEx", 3, ({ process }, text) => process.loadLibrary(text(0))),
  ...bothSpellings("GetModuleHandle", 1, (call, text) => {
    const { process } = call;
    if (at(call, 0) === 0) return process.base;
    const found = process.findModule(text(0));
    if (found === undefined) process.lastError = NO_MODULE;
    return found ?? 0;
  }),
  ...bothSpellings("GetModuleFileName", 3, (call, _text, isWide) => {
    const { process } = call;
    const library = process.libraries.at(at(call, 0));
    const path = library ? `C:\\WINDOWS\\system32\\${library.name}` : OWN_PATH;
    return process.writeText(at(call, 1), path, at(call, 2), isWide);
  }),
  GetProcAddress: answering(2, (call) => {
    const { process } = call;
    const name = at(call, 1) < 0x1_0000 ? `#${at(call, 1)}` : textAt(call, 1);
    const found = process.functionAddress(at(call, 0), name);
    if (found === 0) process.lastError = NO_FUNCTION;
    return found;
  }),
  LdrGetProcedureAddress: answering(4, (call) => {
    const { process } = call;
    const name = at(call, 1) === 0 ? `#${at(call, 2)}` : process.readText(process.readLong(at(call, 1) + 4));
    const found = process.functionAddress(at(call, 0), name);
    process.writeLong(at(call, 3), found);
    return found === 0 ? 0xc000_0139 : 0;
  }),
  LdrLoadDll: answering(4, (call) => {
    const { process } = call;
    const name = process.readWideText(process.readLong(at(call, 2) + 4));
    process.writeLong(at(call, 3), process.loadLibrary(name));
    return 0;
  }),
  FreeLibrary: constant(1, 1),
  DisableThreadLibraryCalls: constant(1, 1),
  ...bothSpellings("GetCommandLine", 0, ({ process }, _text, isWide) => process.commandLine(isWide)),
  ...bothSpellings("GetStartupInfo", 1, (call) => {
    call.process.fill(at(call, 0), 68, 0);
    call.process.writeLong(at(call, 0), 68);
    return 0;
  }),
  ...bothSpellings("GetSystemDirectory", 2, (call, _text, isWide) =>
    call.process.writeText(at(call, 0), "C:\\WINDOWS\\system32", at(call, 1), isWide),
  ),
  ...bothSpellings("GetWindowsDirectory", 2, (call, _text, isWide) =>
    call.process.writeText(at(call, 0), "C:\\WINDOWS", at(call, 1), isWide),
  ),
  ...bothSpellings("GetTempPath", 2, (call, _text, isWide) =>
    call.process.writeText(at(call, 1), "C:\\Temp\\", at(call, 0), isWide),
  ),
  ...bothSpellings("GetCurrentDirectory", 2, (call, _text, isWide) =>
    call.process.writeText(at(call, 1), "C:\\samples", at(call, 0), isWide),
  ),
  ...bothSpellings("FindResource", 3, constantOf(0)),
  LoadResource: constant(2, 0),
  LockResource: answering(1, (call) => at(call, 0)),
  SizeofResource: constant(2, 0),
  FreeResource: constant(1, 0),
};
function constantOf(value: number): () => number {
  return () => value;
}
