/**
 * Dot products of many codes with one query, with SIMD. Plain loops take nine times as long. The source is
 * in WebAssembly text format (dot-products.wat).
 */
import { readFileSync } from "node:fs";
import { workerFile } from "#kernel/workers";
import { DESCRIPTOR_LENGTH } from "../domain/descriptor.ts";

/** Rows of one call: half a megabyte, which fits into the processor cache. */
export const CHUNK_ROWS = 4096;

const CODES_AT = 0;
const QUERY_AT = CHUNK_ROWS * DESCRIPTOR_LENGTH;
const PRODUCTS_AT = QUERY_AT + 2 * DESCRIPTOR_LENGTH;

type Exports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  multiply(rowsAt: number, rowsEnd: number, queryAt: number, productsAt: number): void;
};
/** The used part of WebAssembly. TypeScript declares it only in the DOM library. */
type Engine = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;
const built = workerFile(import.meta.url, "services/face/search/dot-products.wasm");

/** One instance for each thread. The result is valid until the next call. */
export class DotProducts {
  readonly #codes: Int8Array;
  readonly #query: Int16Array;
  readonly #products: Int32Array;
  readonly #multiply: Exports["multiply"];
  constructor() {
    const { memory, multiply } = new Instance(new Module(readFileSync(built))).exports;
    const { buffer } = memory;
    this.#codes = new Int8Array(buffer, CODES_AT, CHUNK_ROWS * DESCRIPTOR_LENGTH);
    this.#query = new Int16Array(buffer, QUERY_AT, DESCRIPTOR_LENGTH);
    this.#products = new Int32Array(buffer, PRODUCTS_AT, CHUNK_ROWS);
    this.#multiply = multiply;
  }
  /** Takes up to `CHUNK_ROWS` codes. */
  of(codes: Int8Array, query: Int16Array): Int32Array {
    this.#codes.set(codes);
    this.#query.set(query);
    if (codes.length > 0) this.#multiply(CODES_AT, CODES_AT + codes.length, QUERY_AT, PRODUCTS_AT);
    return this.#products;
  }
}
