/**
 * Metadata of a camera: orientation, time, model and position. The parser trusts nothing, because anybody may
 * write it.
 */
import { parseInstant } from "#kernel/clock";

export type Position = { readonly latitude: number; readonly longitude: number };
export type CameraNotes = {
  /** 1 to 8, as EXIF counts; 1 is upright. */
  readonly orientation?: number;
  readonly takenAtMs?: number;
  readonly camera?: string;
  readonly position?: Position;
};

const TAGS = { make: 0x010f, model: 0x0110, orientation: 0x0112, exif: 0x8769, gps: 0x8825 } as const;
const EXIF_TAGS = { taken: 0x9003, offset: 0x9011 } as const;
const GPS_TAGS = { latitudeRef: 1, latitude: 2, longitudeRef: 3, longitude: 4 } as const;
/** Bytes of a value, by type: byte, text, short, long, rational, …, signed rational. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8] as const;
const TYPE_TEXT = 2;
const TYPE_SHORT = 3;
const TYPE_RATIONAL = 5;
const ENTRIES_MAX = 500;
const TEXT_MAX = 100;

type Value = string | readonly number[];
type Entries = ReadonlyMap<number, Value>;

class Tiff {
  readonly #bytes: Buffer;
  readonly #little: boolean;
  private constructor(bytes: Buffer, little: boolean) {
    this.#bytes = bytes;
    this.#little = little;
  }
  static of(bytes: Buffer): Tiff | undefined {
    const order = bytes.toString("latin1", 0, 2);
    if (bytes.length < 8 || (order !== "II" && order !== "MM")) return undefined;
    return new Tiff(bytes, order === "II");
  }
  #short(at: number): number {
    return this.#little ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }
  long(at: number): number {
    return this.#little ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }
  /** Damaged entries are skipped. */
  entries(at: number): Entries {
    const found = new Map<number, Value>();
    if (at < 8 || at + 2 > this.#bytes.length) return found;
    const count = Math.min(this.#short(at), ENTRIES_MAX);
    for (let i = 0; i < count; i += 1) {
      const entry = at + 2 + i * 12;
      if (entry + 12 > this.#bytes.length) break;
      const value = this.#value(entry);
      if (value !== undefined) found.set(this.#short(entry), value);
    }
    return found;
  }
  #value(entry: number): Value | undefined {
    const type = this.#short(entry + 2);
    const count = this.long(entry + 4);
    const size = (TYPE_BYTES[type] ?? 0) * count;
    const at = size <= 4 ? entry + 8 : this.long(entry + 8);
    if (size === 0 || at + size > this.#bytes.length) return undefined;
    if (type === TYPE_TEXT) return cleanText(this.#bytes.toString("utf8", at, at + Math.min(size, TEXT_MAX)));
    const step = TYPE_BYTES[type] as number;
    const numbers: number[] = [];
    for (let i = 0; i < Math.min(count, 4); i += 1) numbers.push(this.#number(type, at + i * step));
    return numbers;
  }
  #number(type: number, at: number): number {
    if (type === TYPE_SHORT) return this.#short(at);
    if (type === TYPE_RATIONAL) return this.long(at) / this.long(at + 4);
    return TYPE_BYTES[type] === 4 ? this.long(at) : (this.#bytes[at] as number);
  }
}

/** Up to the terminator, without control characters. */
export const cleanText = (text: string): string =>
  (text.split("\0")[0] ?? "").replace(/[\p{Cc}\ufffd]/gu, " ").trim();

const numberOf = (value: Value | undefined): number | undefined =>
  typeof value === "object" && Number.isFinite(value[0]) ? value[0] : undefined;
const textOf = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** Degrees, minutes and seconds. */
function degreesOf(value: Value | undefined, negative: boolean): number | undefined {
  if (typeof value !== "object") return undefined;
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = value;
  const sum = degrees + minutes / 60 + seconds / 3600;
  return Number.isFinite(sum) ? (negative ? -sum : sum) : undefined;
}
function positionOf(entries: Entries): Position | undefined {
  const south = textOf(entries.get(GPS_TAGS.latitudeRef)).startsWith("S");
  const west = textOf(entries.get(GPS_TAGS.longitudeRef)).startsWith("W");
  return validPosition(
    degreesOf(entries.get(GPS_TAGS.latitude), south),
    degreesOf(entries.get(GPS_TAGS.longitude), west),
  );
}
/** Cameras without reception write zeros, so that position is ignored. */
export function validPosition(
  latitude: number | undefined,
  longitude: number | undefined,
): Position | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

const CAMERA_TIME = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})/;
/** Without an offset the camera's time counts as UTC. */
function takenAtOf(text: string, offset: string): number | undefined {
  const [, year, month, day, time] = CAMERA_TIME.exec(text) ?? [];
  if (year === undefined) return undefined;
  const ms = parseInstant(
    `${year}-${month}-${day}T${time}${/^[+-]\d{2}:\d{2}$/.test(offset) ? offset : "Z"}`,
  );
  return ms !== undefined && ms > 0 ? ms : undefined;
}
export const cameraName = (make: string, model: string): string | undefined =>
  (model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`).trim() || undefined;

/** `bytes` as in the picture, with or without the six-letter prefix. */
export function readCameraNotes(bytes: Buffer): CameraNotes {
  const tiff = Tiff.of(bytes.toString("latin1", 0, 6) === "Exif\0\0" ? bytes.subarray(6) : bytes);
  if (!tiff) return {};
  const main = tiff.entries(tiff.long(4));
  const exif = tiff.entries(numberOf(main.get(TAGS.exif)) ?? 0);
  const orientation = numberOf(main.get(TAGS.orientation)) ?? 0;
  const takenAtMs = takenAtOf(textOf(exif.get(EXIF_TAGS.taken)), textOf(exif.get(EXIF_TAGS.offset)));
  const camera = cameraName(textOf(main.get(TAGS.make)), textOf(main.get(TAGS.model)));
  const position = positionOf(tiff.entries(numberOf(main.get(TAGS.gps)) ?? 0));
  return {
    ...(orientation >= 1 && orientation <= 8 && { orientation }),
    ...(takenAtMs !== undefined && { takenAtMs }),
    ...(camera !== undefined && { camera }),
    ...(position && { position }),
  };
}
