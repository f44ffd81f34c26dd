/** The kernel's time as the page last heard it, and the time zone that the reader chose. */
import { Store } from "../shared-value.ts";

type Heard = { readonly nowMs: number; readonly heardMs: number; readonly isFrozen: boolean };
/** Until the server tells its time, the browser's own counts. */
export const kernelTime = new Store<Heard | undefined>(undefined);

export function kernelNowIso({ nowMs, heardMs, isFrozen }: Heard): string {
  return new Date(isFrozen ? nowMs : nowMs + performance.now() - heardMs).toISOString();
}

type Zone = "UTC" | "local";
const ZONE_KEY = "medley-zone";
const stored = (): Zone => (localStorage.getItem(ZONE_KEY) === "local" ? "local" : "UTC");
export const timeZone = new Store<Zone>(stored());
export function chooseZone(zone: Zone): void {
  localStorage.setItem(ZONE_KEY, zone);
  timeZone.set(zone);
}
