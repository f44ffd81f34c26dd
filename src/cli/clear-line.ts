/** Converts errors that users can fix into one line with advice. */
import { FolderInUseError, NewerDataError, NoFolderError, UnknownServiceError } from "#app";
import { ConfigError } from "#kernel/config";
import { FailedError, UsageError } from "#kernel/manifest";

type SystemError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

/** Error codes of the file system, the network and PostgreSQL that users can fix. */
const CLEAR_CODES =
  /^(EADDRINUSE|EADDRNOTAVAIL|ENOENT|EACCES|EPERM|EEXIST|ENOTDIR|EISDIR|ENOSPC|EROFS|ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|SQLITE_(NOTADB|CORRUPT|CANTOPEN|READONLY|FULL)\w*|08...|28...|3D000|42501|53...|57P..)$/;
/** Commands report an unreachable server themselves. Other connection errors concern the database. */
const UNREACHABLE = /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** Messages for problems with a given file or folder. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user may not open it",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "a part of its path is a file, not a folder",
};

export const codeOf = (error: unknown): string => String((error as SystemError).code ?? "");

export const isMisunderstood = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof UnknownServiceError ||
  codeOf(error).startsWith("ERR_PARSE_ARGS");
export const isFailed = (error: unknown): error is Error =>
  error instanceof FailedError ||
  error instanceof FolderInUseError ||
  error instanceof NoFolderError ||
  error instanceof NewerDataError ||
  CLEAR_CODES.test(codeOf(error));

export function lineOf(error: Error): string {
  const code = codeOf(error);
  const { address, port, path } = error as SystemError;
  const place = port === undefined ? address : `${address}:${port}`;
  // Node's hint about arguments that start with a dash is removed, because it is misleading here.
  const said = error.message === "" ? code : (error.message.split(". To specify")[0] ?? error.message);
  if (code === "EADDRINUSE")
    return `${place} is in use by another program (${code}): stop that one, or choose another --port or --tls-port; 0 picks a free one`;
  if (code === "EADDRNOTAVAIL")
    return `${place} is no address of this machine (${code}): choose another --host, such as 127.0.0.1`;
  if (code === "EACCES" && place !== undefined && port !== undefined)
    return `${place} is not for this user to listen on (${code}): choose a --port from 1024 up`;
  if (UNREACHABLE.test(code))
    return `the database cannot be reached (${said}): start PostgreSQL there, or give --database another address`;
  if (path !== undefined && code in FILE_PROBLEMS) return `${path}: ${FILE_PROBLEMS[code]} (${code})`;
  return said;
}
