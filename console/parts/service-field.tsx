/** A choice among the mounted services, or none of them in particular. */
import type { JSX } from "preact";
import { useServices } from "../services.ts";
import { SelectField } from "./fields.tsx";

/** `every`: what no choice stands for. */
export function ServiceField({
  value,
  onInput,
  every = "All services",
  isHidden = false,
}: {
  readonly value: string;
  readonly onInput: (service: string) => void;
  readonly every?: string;
  readonly isHidden?: boolean;
}): JSX.Element {
  const services = useServices();
  return (
    <SelectField
      label="Service"
      isHidden={isHidden}
      value={value}
      onInput={onInput}
      choices={[["", every], ...services.map(({ name, title }) => [name, title] as const)]}
    />
  );
}
