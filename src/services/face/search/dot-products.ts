/**
 * Dot products of many codes with one, by the processor's wide instructions: 16 numbers a step, where JavaScript takes one.
 * The function is small enough to be written down here in WebAssembly's own words, so that no tool has to make it.
 */
import { DESCRIPTOR_LENGTH } from "../domain/descriptor.ts";

/** Rows that are handed over at once: half a megabyte, which stays near the processor. */
export const CHUNK_ROWS = 4096;

const CODES_AT = 0;
const QUERY_AT = CHUNK_ROWS * DESCRIPTOR_LENGTH;
const PRODUCTS_AT = QUERY_AT + 2 * DESCRIPTOR_LENGTH;
const PAGE_BYTES = 65_536;
const PAGES = Math.ceil((PRODUCTS_AT + 4 * CHUNK_ROWS) / PAGE_BYTES);

/** A whole number without sign, as the format writes it. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}
/** With sign; here for numbers that are none below zero. */
function signed(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signed(value >>> 7)];
}
const wide = (code: number): number[] => [0xfd, ...unsigned(code)];
const section = (id: number, ...content: number[]): number[] => [id, ...unsigned(content.length), ...content];
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];

const I32 = 0x7f;
const V128 = 0x7b;
const VOID_BLOCK = 0x40;
const [ROW, ROWS_END, PRODUCT] = [0, 1, 2];
const [SUM, CODE] = [3, 4];
const local = {
  get: (at: number) => [0x20, at],
  set: (at: number) => [0x21, at],
  tee: (at: number) => [0x22, at],
};
const constant = (value: number): number[] => [0x41, ...signed(value)];
const ADD = [0x6a];
const loadWide = (offset: number) => [...wide(0x00), 0, ...unsigned(offset)];
const laneOf = (lane: number) => [...local.get(SUM), ...wide(0x1b), lane];
const NO_LANES = Array.from({ length: 16 }, () => 0);

/** Sixteen numbers of the code, spread to 16 bits in two halves, times those of the query, onto the sums. */
const step = (at: number): number[] => [
  ...local.get(ROW),
  ...loadWide(CODES_AT + at),
  ...local.set(CODE),
  ...local.get(SUM),
  ...local.get(CODE),
  ...wide(0x87), // the lower eight
  ...constant(0),
  ...loadWide(QUERY_AT + 2 * at),
  ...wide(0xba), // products, added in pairs
  ...wide(0xae),
  ...local.get(CODE),
  ...wide(0x88), // the upper eight
  ...constant(0),
  ...loadWide(QUERY_AT + 2 * at + 16),
  ...wide(0xba),
  ...wide(0xae),
  ...local.set(SUM),
];
const body = [
  ...[2, 1, I32, 2, V128], // besides two parameters: where the next product goes; the sums and a code
  ...[...constant(PRODUCTS_AT), ...local.set(PRODUCT)],
  ...[0x03, VOID_BLOCK], // loop
  ...[...wide(0x0c), ...NO_LANES, ...local.set(SUM)],
  ...Array.from({ length: DESCRIPTOR_LENGTH / 16 }, (_, index) => step(16 * index)).flat(),
  ...local.get(PRODUCT),
  ...[...laneOf(0), ...laneOf(1), ...ADD, ...laneOf(2), ...ADD, ...laneOf(3), ...ADD],
  ...[0x36, 2, 0], // store
  ...[...local.get(PRODUCT), ...constant(4), ...ADD, ...local.set(PRODUCT)],
  ...[...local.get(ROW), ...constant(DESCRIPTOR_LENGTH), ...ADD, ...local.tee(ROW)],
  ...[...local.get(ROWS_END), 0x49, 0x0d, 0], // again while row < end
  ...[0x0b, 0x0b],
];
const bytes = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 2, I32, I32, 0),
  ...section(3, 1, 0),
  ...section(5, 1, 0, ...unsigned(PAGES)),
  ...section(7, 2, ...text("memory"), 2, 0, ...text("multiply"), 0, 0),
  ...section(10, 1, ...unsigned(body.length), ...body),
]);

type Exports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  multiply(rowsAt: number, rowsEnd: number): void;
};
/** What is used of it: the types of the language's library leave it to browsers. */
type Engine = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

/** A thread's own; what it answers holds until the next call. */
export class DotProducts {
  readonly #codes: Int8Array;
  readonly #query: Int16Array;
  readonly #products: Int32Array;
  readonly #multiply: Exports["multiply"];
  constructor() {
    const { memory, multiply } = new Instance(new Module(bytes)).exports;
    const { buffer } = memory;
    this.#codes = new Int8Array(buffer, CODES_AT, CHUNK_ROWS * DESCRIPTOR_LENGTH);
    this.#query = new Int16Array(buffer, QUERY_AT, DESCRIPTOR_LENGTH);
    this.#products = new Int32Array(buffer, PRODUCTS_AT, CHUNK_ROWS);
    this.#multiply = multiply;
  }
  /** Of up to `CHUNK_ROWS` codes. */
  of(codes: Int8Array, query: Int16Array): Int32Array {
    this.#codes.set(codes);
    this.#query.set(query);
    if (codes.length > 0) this.#multiply(CODES_AT, CODES_AT + codes.length);
    return this.#products;
  }
}
