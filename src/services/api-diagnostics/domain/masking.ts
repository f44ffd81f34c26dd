/** Selects and masks the parts of a message that appear in a log. */
import type { Mask } from "./diagnostic.ts";

const MASKED = "***";
const ALL = "*";

function modeOf(masks: readonly Mask[] | undefined, name: string): Mask["mode"] | undefined {
  const lower = name.toLowerCase();
  const found =
    masks?.find(({ value }) => value?.toLowerCase() === lower) ?? masks?.find(({ value }) => value === ALL);
  return found && (found.mode ?? "Mask");
}

/** Names and values alternate, in the order of arrival. */
export type RawHeaders = readonly string[];
/** The requested headers, spelled as in the request for them. */
export function keptHeaders(
  raw: RawHeaders,
  wanted: readonly string[] | undefined,
  masks: readonly Mask[] | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!wanted || wanted.length === 0) return undefined;
  const kept: Record<string, string> = {};
  for (const name of wanted) {
    const mode = modeOf(masks, name);
    if (mode === "Hide") continue;
    const lower = name.toLowerCase();
    const values = raw.filter((_value, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === lower);
    if (values.length > 0) kept[name] = mode === "Mask" ? MASKED : values.join(", ");
  }
  return kept;
}

/** A subscription key in the URL grants access, so it is always masked. */
export function keptUrl(url: string, masks: readonly Mask[] | undefined, keyName: string): string {
  const start = url.indexOf("?");
  if (start < 0) return url;
  const all: readonly Mask[] = [{ value: keyName, mode: "Mask" }, ...(masks ?? [])];
  const members = url
    .slice(start + 1)
    .split("&")
    .flatMap((member) => {
      const end = member.indexOf("=");
      const written = end < 0 ? member : member.slice(0, end);
      const mode = modeOf(all, decoded(written));
      if (mode === "Hide") return [];
      return [mode === "Mask" && end >= 0 ? `${written}=${MASKED}` : member];
    });
  return members.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${members.join("&")}`;
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The first bytes of a body, up to the maximum that a diagnostic logs. */
export class BodySample {
  readonly #bytesMax: number;
  readonly #parts: Buffer[] = [];
  #kept = 0;
  /** Size of the whole body. */
  size = 0;
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }
  take(part: Buffer): void {
    this.size += part.length;
    const room = this.#bytesMax - this.#kept;
    if (room <= 0) return;
    // Copies the bytes, because the connection reuses its read buffer.
    const kept = Buffer.from(part.subarray(0, room));
    this.#parts.push(kept);
    this.#kept += kept.length;
  }
  /** Undefined if no bytes are wanted. An incomplete character at the end is dropped. */
  text(bytes: number | undefined): string | undefined {
    if (!bytes) return undefined;
    const all = Buffer.concat(this.#parts).subarray(0, bytes);
    return new TextDecoder().decode(all, { stream: true });
  }
}
