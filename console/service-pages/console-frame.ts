/**
 * Runs before a tool's page is drawn: takes the look that was chosen in the console. In the frame of the console, the page
 * leaves out its own head, and links and the search lead to the console.
 */
import { applyLook, storedLook } from "../shell/look.ts";

const takeLook = (): void => applyLook(storedLook());
takeLook();
addEventListener("storage", takeLook);

if (parent !== window) {
  // Whoever sees the frame is signed in, as a rule; the page's script finds out.
  document.documentElement.classList.add("framed", "by-console");
  document.head.append(Object.assign(document.createElement("base"), { target: "_top" }));
  // The console has a main part, too.
  addEventListener("DOMContentLoaded", () =>
    document.querySelector("main")?.setAttribute("aria-label", "Tool"),
  );
  addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if (key === "k" && (ctrlKey || metaKey))
      parent.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, metaKey, cancelable: true }));
  });
}
