/** Light, dark, or as the system has it: the only thing that the console keeps in the browser. */
const KEY = "medley-look";
export const LOOKS = ["system", "light", "dark"] as const;
export type Look = (typeof LOOKS)[number];

export const storedLook = (): Look => LOOKS.find((look) => look === localStorage.getItem(KEY)) ?? "system";

export function applyLook(look: Look): void {
  if (look === "system") delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = look;
}
export function chooseLook(look: Look): void {
  localStorage.setItem(KEY, look);
  applyLook(look);
}
