/** The binary format of a trained model: a JSON header followed by typed arrays, which are read in place. */

type Numbers = Int8Array | Uint8Array | Int32Array | Uint32Array | Float32Array;
export type Sections = Readonly<Record<string, Numbers>>;

type Head = {
  readonly about: unknown;
  readonly sections: readonly {
    readonly name: string;
    readonly kind: string;
    readonly start: number;
    readonly length: number;
  }[];
};

/** `MLU` and the version of the layout. A reader refuses unknown versions. */
const MAGIC = 0x4d4c5500;
export const FORMAT_VERSION = 1;
const PREFIX_BYTES = 8;
const ALIGNMENT = 8;

const makers = {
  i8: (buffer: ArrayBuffer, start: number, length: number) => new Int8Array(buffer, start, length),
  u8: (buffer: ArrayBuffer, start: number, length: number) => new Uint8Array(buffer, start, length),
  i32: (buffer: ArrayBuffer, start: number, length: number) => new Int32Array(buffer, start, length),
  u32: (buffer: ArrayBuffer, start: number, length: number) => new Uint32Array(buffer, start, length),
  f32: (buffer: ArrayBuffer, start: number, length: number) => new Float32Array(buffer, start, length),
};

const BYTES_OF = { i8: 1, u8: 1, i32: 4, u32: 4, f32: 4 } as const;

export class ModelFormatError extends Error {}

export function writeSections(about: unknown, sections: Sections): Uint8Array<ArrayBuffer> {
  let start = 0;
  const entries = Object.entries(sections).map(([name, numbers]) => {
    const entry = { name, kind: kindOf(numbers), start, length: numbers.length };
    start = aligned(start + numbers.byteLength);
    return entry;
  });
  const head = new TextEncoder().encode(JSON.stringify({ about, sections: entries } satisfies Head));
  const dataStart = aligned(PREFIX_BYTES + head.length);
  const bytes = new Uint8Array(dataStart + start);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC + FORMAT_VERSION);
  view.setUint32(4, head.length);
  bytes.set(head, PREFIX_BYTES);
  for (const { name, start: sectionStart } of entries) {
    const numbers = sections[name];
    if (numbers)
      bytes.set(
        new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
        dataStart + sectionStart,
      );
  }
  return bytes;
}

export function readSections(given: Uint8Array): {
  readonly about: unknown;
  readonly sections: Sections;
} {
  // An own copy: the typed arrays are aligned views on it for as long as the model is loaded.
  const bytes = new Uint8Array(given);
  const view = new DataView(bytes.buffer);
  if (bytes.length < PREFIX_BYTES || view.getUint32(0) !== MAGIC + FORMAT_VERSION)
    throw new ModelFormatError("These are not the bytes of a model that this version reads.");
  const headLength = view.getUint32(4);
  if (PREFIX_BYTES + headLength > bytes.length)
    throw new ModelFormatError("The bytes of the model end too early.");
  const head = JSON.parse(
    new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headLength)),
  ) as Head;
  const dataStart = aligned(PREFIX_BYTES + headLength);
  const sections: Record<string, Numbers> = {};
  for (const { name, kind, start, length } of head.sections) {
    if (!isKind(kind)) throw new ModelFormatError(`The model has a part of an unknown kind: ${kind}.`);
    if (dataStart + start + length * BYTES_OF[kind] > bytes.length)
      throw new ModelFormatError("The bytes of the model end too early.");
    sections[name] = makers[kind](bytes.buffer, dataStart + start, length);
  }
  return { about: head.about, sections };
}

type NumbersClass<Kind extends Numbers> = abstract new (...given: never[]) => Kind;

/** A part of a model, of the kind that it must have. */
export function sectionOf<Kind extends Numbers>(
  sections: Sections,
  name: string,
  kind: NumbersClass<Kind>,
): Kind {
  const section = sections[name];
  if (!(section instanceof kind)) throw new ModelFormatError(`The model has no part "${name}" of its kind.`);
  return section;
}

const aligned = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

const isKind = (kind: string): kind is keyof typeof makers => Object.hasOwn(makers, kind);

function kindOf(numbers: Numbers): keyof typeof makers {
  if (numbers instanceof Int8Array) return "i8";
  if (numbers instanceof Uint8Array) return "u8";
  if (numbers instanceof Int32Array) return "i32";
  if (numbers instanceof Uint32Array) return "u32";
  return "f32";
}
