/**
 * Functions of the expression language. Most return undefined, not an error, for arguments of the wrong
 * type.
 */
import { EvaluationError } from "../faults.ts";
import { decimal, textOf, typeOf, type Value } from "../values.ts";
import { combineBits, invertBits, numberOf } from "./operators.ts";
import type { FunctionName } from "./syntax.ts";

/** Context of an evaluation in addition to values. */
export type Moment = {
  /** The input of the evaluated message; undefined for a timer. */
  readonly currentInput: string | undefined;
  /** True once after the timer has elapsed. */
  readonly takeTimeout: (timerName: string) => boolean;
};

function wordOf(name: FunctionName, value: Value): string {
  if (typeof value === "string") return value;
  throw new EvaluationError(`"${name}" takes a text, not ${typeOf(value)}.`);
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function decimalOfText(text: string): Value {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? decimal(value) : undefined;
}
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Valid conversions: boolean or number to string, string to boolean or decimal. */
function convert(type: Value, value: Value): Value {
  switch (wordOf("convert", type)) {
    case "String":
      return typeof value === "boolean" || numberOf(value) !== undefined
        ? textOf(value as number | boolean)
        : undefined;
    case "Boolean":
      return typeof value === "string" ? TRUTHS[value.toLowerCase()] : undefined;
    case "Decimal":
      return typeof value === "string" ? decimalOfText(value) : undefined;
    default:
      throw new EvaluationError('"convert" makes a String, Boolean or Decimal.');
  }
}

function isTrigger(type: string, moment: Moment): boolean {
  switch (type.toLowerCase()) {
    case "message":
      return moment.currentInput !== undefined;
    case "timer":
      return moment.currentInput === undefined;
    default:
      throw new EvaluationError('"triggerType" is asked for "Message" or "Timer".');
  }
}

const ofTexts =
  (ask: (text: string, part: string) => boolean) =>
  ([text, part]: readonly Value[]): Value =>
    typeof text === "string" && typeof part === "string" ? ask(text, part) : undefined;

type Implementation = (values: readonly Value[], moment: Moment) => Value;

export const functions: Readonly<Record<FunctionName, Implementation>> = {
  timeout: ([name], moment) => moment.takeTimeout(wordOf("timeout", name)),
  convert: ([type, value]) => convert(type, value),
  isNull: ([value]) => value === null,
  isUndefined: ([value]) => value === undefined,
  triggerType: ([type], moment) => isTrigger(wordOf("triggerType", type), moment),
  currentInput: ([name], moment) => moment.currentInput === wordOf("currentInput", name),
  startsWith: ofTexts((text, part) => text.startsWith(part)),
  endsWith: ofTexts((text, part) => text.endsWith(part)),
  contains: ofTexts((text, part) => text.includes(part)),
  bitor: ([left, right]) => combineBits("|", left, right),
  bitand: ([left, right]) => combineBits("&", left, right),
  bitxor: ([left, right]) => combineBits("^", left, right),
  bitnot: ([value]) => invertBits(value),
};
