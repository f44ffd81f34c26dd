/** What is known of a thing, in a row of names and values. */
import type { JSX } from "preact";

export const Fact = ({ name, value }: { readonly name: string; readonly value: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
