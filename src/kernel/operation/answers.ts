/** Success answers: a status with a schema, with nothing, or with bytes of some media type. */
import { type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

/** Written out, because TypeScript before 5.7 does not know the type parameter that newer versions add. */
type Bytes = Uint8Array;
/** Complete, or as a stream. */
type Content = Bytes | string | AsyncIterable<Bytes | string>;

/** An answer without a body. */
export const noBody = Type.Void({ description: "No body." });
export const isNoBody = (schema: TSchema): boolean => schema.type === "void";

/** Bytes or text of one of the given media types, instead of JSON. */
export const media = (...types: readonly [string, ...string[]]): TUnsafe<Content> =>
  Type.Unsafe<Content>({ type: "string", "x-media-types": types });
export const mediaTypesOf = (schema: TSchema): readonly string[] | undefined => schema["x-media-types"];

/** JSON of this shape that the handler returns as text or bytes, or another of the given media types. */
export const finishedJson = (shape: TSchema, ...otherTypes: readonly string[]): TUnsafe<Bytes | string> =>
  Type.Unsafe<Bytes | string>({
    type: "string",
    "x-media-types": ["application/json", ...otherTypes],
    "x-json-shape": shape,
  });
export const jsonShapeOf = (schema: TSchema): TSchema | undefined => schema["x-json-shape"];

/** What a handler returns if a plain body is not enough. */
export class Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  constructor(
    status: number,
    body: Body,
    headers: Readonly<Record<string, string | readonly string[]>> = {},
  ) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
export const answer = <Body = undefined>(
  status: number,
  body?: Body,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Answer<Body> => new Answer(status, body as Body, headers);
