/** A PATCH says what changes; the declared shape is asked of the whole that comes of it. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { refusalOf, Shape } from "#kernel/shape";

/** Reads the properties of a resource as they would be: in the declared spelling, and nothing undeclared. */
export function wholeReader<T extends TSchema>(properties: T): (merged: unknown) => Static<T> {
  const whole = new Shape(Type.Object({ properties }));
  return (merged) => {
    // What is merged shares parts with the resource as it stands.
    const given = { properties: structuredClone(merged) };
    const settled = whole.settle(given) as { readonly properties: unknown };
    if (!whole.fits(settled)) throw refusalOf(whole.problemsOf(given), { whole: "The body" });
    return Value.Clean(properties, settled.properties) as Static<T>;
  };
}
