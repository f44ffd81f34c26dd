/** Decodes HEIC pictures with libheif as WebAssembly. It is loaded with the first of them, in a worker. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

type Failure = { readonly code: unknown; readonly message: string };
type Channel = {
  readonly id: unknown;
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly data: Uint8Array;
};
type Decoded = { readonly code?: undefined; readonly channels: readonly Channel[] };
type Handle = { readonly code?: undefined };
/** The part of the library that is used here. */
type Libheif = {
  readonly heif_error_Ok: unknown;
  readonly heif_colorspace_RGB: unknown;
  readonly heif_chroma_interleaved_RGBA: unknown;
  readonly heif_channel_interleaved: unknown;
  heif_context_alloc(): object;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): Failure;
  heif_js_context_get_primary_image_handle(context: object): Handle | Failure;
  heif_js_decode_image2(handle: Handle, colorspace: unknown, chroma: unknown): Decoded | Failure;
};
type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

const require = createRequire(import.meta.url);
const CHANNELS = 4;

/** Its memory never shrinks, so each picture gets an instance of its own. */
function loadLibrary(): Libheif {
  const make = require("libheif-js/libheif-wasm/libheif.js") as (options: object) => Libheif;
  return make({ wasmBinary: readFileSync(require.resolve("libheif-js/libheif-wasm/libheif.wasm")) });
}
function orThrow<T extends object>(result: T | Failure): T {
  if (!("code" in result) || result.code === undefined) return result as T;
  throw new Error((result as Failure).message.trim());
}
/** Without the bytes that may follow a row. */
function packed({ data, width, height, stride }: Channel): Buffer {
  const row = width * CHANNELS;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (stride === row) return bytes;
  return Buffer.concat(
    Array.from({ length: height }, (_, index) => bytes.subarray(index * stride, index * stride + row)),
  );
}

/** Other codecs have the same container; the image library knows AV1. */
export const isHevc = (bytes: Buffer): boolean => bytes.includes("hvcC");

/**
 * The main picture as RGBA, turned and cut as its container says. The library refuses pixel data larger than the
 * container declares, before it allocates memory for it.
 */
export function decodeHeic(bytes: Uint8Array): Pixels {
  const library = loadLibrary();
  const context = library.heif_context_alloc();
  const read = library.heif_context_read_from_memory(context, bytes);
  if (read.code !== library.heif_error_Ok) throw new Error(read.message.trim());
  const handle = orThrow(library.heif_js_context_get_primary_image_handle(context));
  const { heif_colorspace_RGB: colorspace, heif_chroma_interleaved_RGBA: chroma } = library;
  const { channels } = orThrow(library.heif_js_decode_image2(handle, colorspace, chroma));
  const channel = channels.find(({ id }) => id === library.heif_channel_interleaved);
  if (!channel) throw new Error("The picture has no pixels.");
  return { data: packed(channel), width: channel.width, height: channel.height };
}
