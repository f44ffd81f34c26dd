/** JSON as it is typed: what is no JSON yet is kept as text, and what it was last stays the value. */
import { useState } from "preact/hooks";

export function useJsonText(value: unknown, onInput: (value: unknown) => void) {
  const [text, setText] = useState(JSON.stringify(value, null, 2) ?? "");
  const [isBroken, setBroken] = useState(false);
  const read = (typed: string) => {
    setText(typed);
    try {
      onInput(typed.trim() === "" ? undefined : JSON.parse(typed));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return { text, isBroken, read };
}
