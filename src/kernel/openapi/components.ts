/** Shapes that are used more than once become components, named after the place of their first use. */
import type { Json } from "./schema.ts";

const SHARED_LENGTH_MIN = 120;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isShape = (value: unknown): value is Json =>
  isObject(value) && (isObject(value.properties) || Array.isArray(value.oneOf) || Array.isArray(value.enum));
const valuesOf = (schema: Json): readonly string[] =>
  (Array.isArray(schema.enum) ? schema.enum : [schema.const]).map(String);
/** `resource-groups.create` and `virtualMachine` become ResourceGroupsCreate and VirtualMachine. */
const capitalised = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string = "") => next.toUpperCase())
    .replace(/^./, (first) => first.toUpperCase());

/** The name of a part, from its place in an operation. */
function hintAt(name: string, hint: string): string {
  if (name === "items") return `${hint} item`;
  if (name === "requestBody") return `${hint} body`;
  if (/^[45]\d\d$/.test(name)) return `${hint.split(".")[0]} error`;
  return /^[23]\d\d$/.test(name) ? `${hint} answer` : hint;
}

export class Components {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly schemas: Record<string, unknown> = {};

  /** Counts every shape inside. Call it for everything before the first `share`. */
  count(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) this.count(one);
    if (!isObject(value)) return;
    if (isShape(value)) {
      const text = JSON.stringify(value);
      const uses = (this.#uses.get(text) ?? 0) + 1;
      this.#uses.set(text, uses);
      // The parts of a repeated shape were counted with its first use.
      if (uses > 1) return;
    }
    for (const member of Object.values(value)) this.count(member);
  }
  /** Replaces repeated shapes by references. `hint`: the name at this place. */
  share(value: unknown, hint: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.share(one, hint));
    if (!isObject(value)) return value;
    const text = isShape(value) ? JSON.stringify(value) : "";
    if (text.length < SHARED_LENGTH_MIN || (this.#uses.get(text) ?? 0) < 2) return this.#inside(value, hint);
    return this.#reference(value, text, hint);
  }
  #reference(value: Json, text: string, hint: string): { readonly $ref: string } {
    const known = this.#names.get(text);
    if (known !== undefined) return { $ref: `#/components/schemas/${known}` };
    const name = this.#freeName(capitalised(hint));
    this.#names.set(text, name);
    this.schemas[name] = {};
    this.schemas[name] = this.#inside(value, hint);
    return { $ref: `#/components/schemas/${name}` };
  }
  #inside(value: Json, hint: string): Json {
    return isObject(value.discriminator) ? this.#kinds(value, hint) : this.#members(value, hint);
  }
  /** A discriminator only chooses among components, so each kind is one, also if it is used once. */
  #kinds({ oneOf, discriminator, ...rest }: Json, hint: string): Json {
    const { propertyName } = discriminator as { readonly propertyName: string };
    const mapping: Record<string, string> = {};
    const references = (oneOf as readonly Json[]).map((kind) => {
      const words = valuesOf((kind.properties as Record<string, Json>)[propertyName] ?? {});
      const reference = this.#reference(kind, JSON.stringify(kind), `${hint} ${words[0]}`);
      for (const word of words) mapping[word] = reference.$ref;
      return reference;
    });
    return { ...this.#members(rest, hint), oneOf: references, discriminator: { propertyName, mapping } };
  }
  #members(value: Json, hint: string): Json {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === "properties" && isObject(member)
          ? Object.fromEntries(
              Object.entries(member).map(([own, shape]) => [own, this.share(shape, `${hint} ${own}`)]),
            )
          : this.share(member, hintAt(name, hint)),
      ]),
    );
  }
  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; name in this.schemas; number += 1) name = `${wanted}${number}`;
    return name;
  }
}
