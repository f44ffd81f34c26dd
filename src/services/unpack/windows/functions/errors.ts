/** Exceptions, errors and debuggers. */
import { EAX, ESP } from "../../emulator/cpu.ts";
import { ProcessorException } from "../../emulator/faults.ts";
import { answering, at, bothSpellings, type Call, constant, type Functions } from "../call.ts";
import { TEB } from "../layout.ts";

const PARAMETERS_MAX = 15;
const OK = 1;

function raiseException(call: Call): undefined {
  const { process, exceptions, returnsTo } = call;
  const count = Math.min(at(call, 2), PARAMETERS_MAX);
  const parameters = Array.from({ length: count }, (_, i) => process.readLong(at(call, 3) + i * 4));
  process.cpu.wide[ESP] = process.cpu.esp + 16;
  process.cpu.eip = returnsTo;
  const exception = new ProcessorException(at(call, 0), "raised by the program", parameters);
  if (!exceptions.raise(exception)) throw exception;
  return undefined;
}
/** Skips the handlers between here and the target frame. Unpackers do not depend on their unwind calls. */
function unwind(call: Call): undefined {
  const { process, returnsTo } = call;
  const { cpu } = process;
  if (at(call, 0) !== 0) process.writeLong(TEB, at(call, 0));
  cpu.wide[ESP] = cpu.esp + 16;
  cpu.wide[EAX] = at(call, 3);
  cpu.eip = at(call, 1) === 0 ? returnsTo : at(call, 1);
  return undefined;
}
const noDebugger = answering(5, (call) => {
  if (at(call, 2) !== 0) call.process.fill(at(call, 2), at(call, 3), 0);
  return 0;
});

export const errorFunctions: Functions = {
  GetLastError: answering(0, ({ process }) => process.lastError),
  SetLastError: answering(1, (call) => {
    call.process.lastError = at(call, 0);
    return 0;
  }),
  RtlGetLastWin32Error: answering(0, ({ process }) => process.lastError),
  SetErrorMode: constant(1, 0),
  SetUnhandledExceptionFilter: answering(1, (call) => call.exceptions.setFilter(at(call, 0))),
  UnhandledExceptionFilter: constant(1, 1),
  AddVectoredExceptionHandler: answering(2, (call) => call.exceptions.addVectored(at(call, 0), at(call, 1))),
  RemoveVectoredExceptionHandler: constant(1, OK),
  RaiseException: answering(4, raiseException),
  RtlUnwind: answering(4, unwind),
  IsDebuggerPresent: constant(0, 0),
  CheckRemoteDebuggerPresent: answering(2, (call) => {
    call.process.writeLong(at(call, 1), 0);
    return OK;
  }),
  ...bothSpellings("OutputDebugString", 1, () => 0),
  DebugBreak: constant(0, 0),
  NtQueryInformationProcess: noDebugger,
  ZwQueryInformationProcess: noDebugger,
  NtSetInformationThread: constant(4, 0),
  ZwSetInformationThread: constant(4, 0),
};
