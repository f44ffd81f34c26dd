/** The parts of a multipart body, as far as they can be read from its text. */

export type BodyPart = { readonly headers: string; readonly name: string; readonly content: string };

const nameOf = (headers: string): string => {
  const name = /name="([^"]*)"/.exec(headers)?.[1] ?? "part";
  const file = /filename="([^"]*)"/.exec(headers)?.[1];
  return file === undefined ? name : `${name} (${file})`;
};

export function partsOf(text: string, type: string): readonly BodyPart[] | undefined {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined) return undefined;
  return text
    .split(`--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith("--"))
    .map((part) => {
      const trimmed = part.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
      const end = /\r?\n\r?\n/.exec(trimmed);
      const headers = end ? trimmed.slice(0, end.index) : trimmed;
      const content = end ? trimmed.slice(end.index + end[0].length) : "";
      return { headers, name: nameOf(headers), content };
    });
}
