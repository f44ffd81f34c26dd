/** Validates the complete resource after a PATCH against its schema. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { refusalOf, Shape } from "#kernel/shape";

/** Returns the validated properties in the declared spelling, without undeclared members. */
export function wholeReader<T extends TSchema>(properties: T): (merged: unknown) => Static<T> {
  const whole = new Shape(Type.Object({ properties }));
  return (merged) => {
    // A copy, because the merged value shares parts with the stored resource.
    const given = { properties: structuredClone(merged) };
    const settled = whole.settle(given) as { readonly properties: unknown };
    if (!whole.fits(settled)) throw refusalOf(whole.problemsOf(given), { whole: "The body" });
    return Value.Clean(properties, settled.properties) as Static<T>;
  };
}
