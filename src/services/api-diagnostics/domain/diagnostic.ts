/** Settings of a diagnostic, and its decision about one call. */
import type { CorrelationProtocol } from "./correlation.ts";

export type Mask = { readonly value?: string; readonly mode?: "Mask" | "Hide" };
export type MessageSettings = {
  readonly body?: { readonly bytes?: number };
  readonly headers?: readonly string[];
  readonly dataMasking?: { readonly headers?: readonly Mask[]; readonly queryParams?: readonly Mask[] };
};
export type Pipeline = { readonly request?: MessageSettings; readonly response?: MessageSettings };
export type DiagnosticProperties = {
  readonly loggerId: string;
  readonly alwaysLog?: "allErrors";
  readonly frontend?: Pipeline;
  readonly backend?: Pipeline;
  readonly httpCorrelationProtocol?: CorrelationProtocol;
  readonly metrics?: boolean;
  readonly operationNameFormat?: "Name" | "Url";
  readonly logClientIp?: boolean;
  readonly sampling?: { readonly percentage?: number; readonly samplingType?: "fixed" };
  readonly verbosity?: "verbose" | "information" | "error";
};

export type Decision = { readonly isLogged: boolean; readonly why: string };

/** A call is a success with a status of 2xx or 3xx. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 400;

const rounded = (number: number): string => String(Math.round(number * 100) / 100);
export function decide(
  { alwaysLog, sampling, verbosity }: DiagnosticProperties,
  { status, at }: { readonly status: number; readonly at: number },
): Decision {
  const hasFailed = !isSuccess(status);
  if (hasFailed && alwaysLog === "allErrors") return { isLogged: true, why: "errors are always logged" };
  if (!hasFailed && verbosity === "error") return { isLogged: false, why: "only errors are logged" };
  const percentage = sampling?.percentage ?? 100;
  if (percentage >= 100) return { isLogged: true, why: "every call is logged" };
  const isLogged = at < percentage;
  const drawn = `${rounded(percentage)} % of the calls are logged; this one drew ${rounded(at)}`;
  return { isLogged, why: drawn };
}

/** The maximum number of body bytes that any diagnostic logs. */
export function bytesWanted(
  diagnostics: readonly DiagnosticProperties[],
  side: "request" | "response",
): number {
  return Math.max(
    0,
    ...diagnostics.flatMap(({ frontend, backend }) => [
      frontend?.[side]?.body?.bytes ?? 0,
      backend?.[side]?.body?.bytes ?? 0,
    ]),
  );
}
/** The first diagnostic that sets a correlation protocol takes precedence. */
export const protocolOf = (diagnostics: readonly DiagnosticProperties[]): CorrelationProtocol =>
  diagnostics.find(({ httpCorrelationProtocol }) => httpCorrelationProtocol !== undefined)
    ?.httpCorrelationProtocol ?? "None";
