/** Forms for the unpack service, as a browser or curl sends them. */
import type { Instance, Sent } from "./medley.ts";

export const MOUNT = "/unpack/v1";

export type Field = readonly [name: string, value: string];
export type SendForm = {
  readonly fields?: readonly Field[];
  readonly name?: string;
  readonly headers?: Record<string, string>;
  /** The maker's base address is below the mount. */
  readonly base?: string;
};

export function formOf(content: Uint8Array, { fields = [], name = "keeper.exe" }: SendForm = {}): FormData {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), name);
  for (const [field, value] of fields) form.append(field, value);
  return form;
}

export const sendFile = (
  instance: Instance,
  path: string,
  content: Uint8Array,
  options: SendForm = {},
): Promise<Sent> =>
  instance.send("POST", `${options.base ?? MOUNT}${path}`, {
    body: formOf(content, options),
    ...(options.headers && { headers: options.headers }),
  });

export const asJson = { accept: "application/json" };
export const base64 = (text: string): string => Buffer.from(text).toString("base64");
