/** Outgoing actions of detectors and alarms, and their compilation. */
import type { AlarmAction, AssetPropertyValue, PayloadTemplate } from "./definition.ts";
import { type Compiled, type Frame, scalarOf } from "./expressions/compile.ts";
import { numberOf } from "./expressions/operators.ts";
import { EvaluationError, ModelFault } from "./faults.ts";
import { CONTENT_EXPRESSION_BYTES_MAX } from "./limits.ts";
import type { ModelReader } from "./reader.ts";
import { TABLE_FIELDS } from "./table-fields.ts";
import { jsonOf, textOf } from "./values.ts";

export type OutgoingKind =
  | "notification"
  | "topic"
  | "function"
  | "input"
  | "queue"
  | "deliveryStream"
  | "table"
  | "tableItem"
  | "assetProperty"
  | "mail"
  | "text";
export type OutgoingAction = {
  /** Place of the action in the definition. */
  readonly place: string;
  readonly kind: OutgoingKind;
  /** An ARN, topic, input, queue, stream, table, property or person. */
  readonly target: string;
  readonly body: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Context of an action in addition to values. */
export type Sending = {
  readonly frame: Frame;
  readonly nowMs: number;
  /** The payload of actions without one. */
  readonly standardPayload: (place: string) => string;
  /** The same for the same action of the same message. */
  readonly executionId: (place: string) => string;
  readonly warn: (place: string, text: string) => void;
};
export type CompiledSending = (sending: Sending) => OutgoingAction;

type Parts = Omit<OutgoingAction, "place" | "body">;
type Body = (sending: Sending) => string;

const byteLength = (text: string) => Buffer.byteLength(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function compileBody(reader: ModelReader, place: string, payload: PayloadTemplate | undefined): Body {
  if (payload === undefined) return ({ standardPayload }) => standardPayload(place);
  const at = `${place}.payload.contentExpression`;
  if (payload.contentExpression.trim() === "")
    throw new ModelFault(at, "A payload of its own can't be empty.");
  if (byteLength(payload.contentExpression) > CONTENT_EXPRESSION_BYTES_MAX)
    throw new ModelFault(at, `Content expressions have at most ${CONTENT_EXPRESSION_BYTES_MAX} bytes.`, {
      limit: true,
    });
  const content = reader.expression(at, payload.contentExpression);
  if (payload.type === "STRING") return ({ frame }) => textOf(scalarOf(content(frame)));
  return ({ frame, warn }) => {
    const text = scalarOf(content(frame));
    if (typeof text !== "string")
      throw new EvaluationError("The payload's type is JSON: its expression must give a text.");
    if (!isJson(text)) warn(at, "The payload's type is JSON, but what was sent is not.");
    return text;
  };
}

/** Compiled expression fields of an action by name. Absent fields stay undefined. */
type Fields<Name extends string> = Readonly<Record<Name, (frame: Frame) => string | undefined>>;

function compileFields<Name extends string>(
  reader: ModelReader,
  place: string,
  given: Readonly<Partial<Record<Name, string | undefined>>>,
  names: readonly Name[],
): Fields<Name> {
  const fields = names.map((name) => {
    const text = given[name];
    if (text === undefined) return [name, () => undefined] as const;
    const compiled = reader.expression(`${place}.${name}`, text);
    return [name, (frame: Frame) => textOf(scalarOf(compiled(frame)))] as const;
  });
  return Object.fromEntries(fields) as Fields<Name>;
}

const KEY_TYPES: readonly string[] = ["STRING", "NUMBER"];
const OPERATIONS: readonly string[] = ["INSERT", "UPDATE", "DELETE"];

function oneOf(
  name: string,
  value: string | undefined,
  allowed: readonly string[],
  otherwise: string,
): string {
  const word = value ?? otherwise;
  if (!allowed.includes(word)) throw new EvaluationError(`"${name}" must be one of ${allowed.join(", ")}.`);
  return word;
}

type TableAction = NonNullable<AlarmAction["dynamoDB"]>;
function compileTable(reader: ModelReader, place: string, action: TableAction): CompiledSending {
  const fields = compileFields(reader, place, action, TABLE_FIELDS);
  const body = compileBody(reader, place, action.payload);
  const isRaw = action.payload?.type === "STRING";
  return (sending) => {
    const value = (name: (typeof TABLE_FIELDS)[number]) => fields[name](sending.frame);
    const payloadField = value("payloadField") ?? "payload";
    const rangeKeyField = value("rangeKeyField");
    const text = body(sending);
    return {
      place,
      kind: "table",
      target: value("tableName") ?? "",
      body: isRaw ? Buffer.from(text).toString("base64") : text,
      details: {
        operation: oneOf("operation", value("operation"), OPERATIONS, "INSERT"),
        hashKeyField: value("hashKeyField"),
        hashKeyType: oneOf("hashKeyType", value("hashKeyType"), KEY_TYPES, "STRING"),
        hashKeyValue: value("hashKeyValue"),
        ...(rangeKeyField !== undefined && {
          rangeKeyField,
          rangeKeyType: oneOf("rangeKeyType", value("rangeKeyType"), KEY_TYPES, "STRING"),
          rangeKeyValue: value("rangeKeyValue"),
        }),
        payloadField: isRaw ? `${payloadField}_raw` : payloadField,
      },
    };
  };
}

type TableItemAction = NonNullable<AlarmAction["dynamoDBv2"]>;
function compileTableItem(reader: ModelReader, place: string, action: TableItemAction): CompiledSending {
  const { tableName } = compileFields(reader, place, action, ["tableName"]);
  if (action.payload?.type === "STRING")
    throw new ModelFault(`${place}.payload.type`, "This action takes payloads of type JSON only.");
  const body = compileBody(reader, place, action.payload);
  return (sending) => {
    const text = body(sending);
    if (!text.trimStart().startsWith("{") || !isJson(text))
      throw new EvaluationError("Each member of the payload becomes a column: it must be a JSON object.");
    return { place, kind: "tableItem", target: tableName(sending.frame) ?? "", body: text };
  };
}

type VariantName = "stringValue" | "integerValue" | "doubleValue" | "booleanValue";
const VARIANTS: readonly VariantName[] = ["stringValue", "integerValue", "doubleValue", "booleanValue"];
const INTEGER = /^[+-]?\d+$/;

/** JSON of the value in the type of its field. Literals can be quoted. */
function variantJson(name: VariantName, value: ReturnType<typeof scalarOf>): string {
  const text = textOf(value);
  const number = typeof value === "string" && text.trim() !== "" ? Number(text) : numberOf(value);
  if (name === "stringValue") return JSON.stringify(text);
  if (name === "booleanValue" && ["true", "false"].includes(text.toLowerCase())) return text.toLowerCase();
  if (name === "integerValue" && INTEGER.test(text)) return String(Number(text));
  if (name === "doubleValue" && number !== undefined && Number.isFinite(number)) return String(number);
  throw new EvaluationError(`"${text}" is no ${name}.`);
}
function compileVariant(reader: ModelReader, place: string, value: AssetPropertyValue["value"]) {
  const [name, ...others] = VARIANTS.filter((variant) => value?.[variant] !== undefined);
  if (name === undefined || others.length > 0)
    throw new ModelFault(place, `Exactly one of ${VARIANTS.join(", ")} is needed.`);
  const compiled = reader.expression(`${place}.${name}`, value?.[name] ?? "");
  return (frame: Frame) => `{${JSON.stringify(name)}:${variantJson(name, scalarOf(compiled(frame)))}}`;
}

const PROPERTY_FIELDS = ["entryId", "assetId", "propertyId", "propertyAlias"] as const;
const QUALITIES: readonly string[] = ["GOOD", "BAD", "UNCERTAIN"];

function wholeNumber(name: string, compiled: Compiled, frame: Frame): number {
  const value = Number(textOf(scalarOf(compiled(frame))));
  if (!Number.isSafeInteger(value) || value < 0)
    throw new EvaluationError(`"${name}" must be a whole number.`);
  return value;
}
function compileTimestamp(reader: ModelReader, place: string, timestamp: AssetPropertyValue["timestamp"]) {
  if (timestamp === undefined)
    return ({ nowMs }: Sending) => ({
      timeInSeconds: Math.floor(nowMs / 1000),
      offsetInNanos: (nowMs % 1000) * 1_000_000,
    });
  const seconds = reader.expression(`${place}.timeInSeconds`, timestamp.timeInSeconds);
  const nanos = reader.expression(`${place}.offsetInNanos`, timestamp.offsetInNanos ?? "0");
  return ({ frame }: Sending) => ({
    timeInSeconds: wholeNumber("timeInSeconds", seconds, frame),
    offsetInNanos: wholeNumber("offsetInNanos", nanos, frame),
  });
}

type PropertyAction = NonNullable<AlarmAction["iotSiteWise"]>;
function compileProperty(reader: ModelReader, place: string, action: PropertyAction): CompiledSending {
  if (action.propertyAlias === undefined && (action.assetId === undefined || action.propertyId === undefined))
    throw new ModelFault(place, "The property is named by propertyAlias, or by assetId and propertyId.");
  const fields = compileFields(reader, place, action, PROPERTY_FIELDS);
  const at = `${place}.propertyValue`;
  const given = action.propertyValue;
  const value = compileVariant(reader, `${at}.value`, given?.value);
  const timestamp = compileTimestamp(reader, `${at}.timestamp`, given?.timestamp);
  const { quality } = compileFields(reader, at, { quality: given?.quality }, ["quality"]);
  return (sending) => {
    const { frame } = sending;
    const named = Object.fromEntries(PROPERTY_FIELDS.map((name) => [name, fields[name](frame)]));
    const entryId = named.entryId ?? sending.executionId(place);
    const rating = oneOf("quality", quality(frame), QUALITIES, "GOOD");
    const head = JSON.stringify({ ...named, entryId }).slice(0, -1);
    return {
      place,
      kind: "assetProperty",
      target: named.propertyAlias ?? `${named.assetId}/${named.propertyId}`,
      body: `${head},"propertyValues":[{"value":${value(frame)},"timestamp":${JSON.stringify(timestamp(sending))},"quality":${jsonOf(rating)}}]}`,
      details: { ...named, entryId },
    };
  };
}

/** Actions with a literal target, whose body is the payload. */
function compilePlain(
  reader: ModelReader,
  place: string,
  payload: PayloadTemplate | undefined,
  parts: Parts,
  finish: (body: string) => string = (body) => body,
): CompiledSending {
  const body = compileBody(reader, place, payload);
  return (sending) => ({ place, ...parts, body: finish(body(sending)) });
}

type Compilers = {
  readonly [Name in keyof AlarmAction]-?: (
    reader: ModelReader,
    place: string,
    action: NonNullable<AlarmAction[Name]>,
  ) => CompiledSending;
};
const compilers: Compilers = {
  sns: (reader, place, { targetArn, payload }) =>
    compilePlain(reader, place, payload, { kind: "notification", target: targetArn }),
  iotTopicPublish(reader, place, { mqttTopic, payload }) {
    const topic = reader.text(`${place}.mqttTopic`, mqttTopic);
    const body = compileBody(reader, place, payload);
    return (sending) => ({
      place,
      kind: "topic",
      target: textOf(scalarOf(topic(sending.frame))),
      body: body(sending),
    });
  },
  lambda: (reader, place, { functionArn, payload }) =>
    compilePlain(reader, place, payload, { kind: "function", target: functionArn }),
  iotEvents: (reader, place, { inputName, payload }) =>
    compilePlain(reader, place, payload, { kind: "input", target: inputName }),
  sqs: (reader, place, { queueUrl, useBase64 = false, payload }) =>
    compilePlain(
      reader,
      place,
      payload,
      { kind: "queue", target: queueUrl, details: { useBase64 } },
      (body) => (useBase64 ? Buffer.from(body).toString("base64") : body),
    ),
  firehose: (reader, place, { deliveryStreamName, separator, payload }) =>
    compilePlain(
      reader,
      place,
      payload,
      {
        kind: "deliveryStream",
        target: deliveryStreamName,
        ...(separator !== undefined && { details: { separator } }),
      },
      (body) => body + (separator ?? ""),
    ),
  dynamoDB: compileTable,
  dynamoDBv2: compileTableItem,
  iotSiteWise: compileProperty,
};

export const SENDING_NAMES = Object.keys(compilers) as (keyof AlarmAction)[];

/** Compiles the action that is set; undefined if none of these is set. */
export function compileSending(
  reader: ModelReader,
  place: string,
  action: AlarmAction,
): CompiledSending | undefined {
  const name = SENDING_NAMES.find((sending) => action[sending] !== undefined);
  if (name === undefined) return undefined;
  const compile = compilers[name] as (
    reader: ModelReader,
    place: string,
    action: AlarmAction[keyof AlarmAction],
  ) => CompiledSending;
  return compile(reader, `${place}.${name}`, action[name]);
}
