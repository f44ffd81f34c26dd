/**
 * A step chart of a balance. The figures are in text beside it, because text in a picture is too small on a
 * phone.
 */
import { html } from "#kernel/html";

const WIDTH = 640;
const HEIGHT = 140;
const LEFT = 8;
const MARGIN = 6;
/** Seen on light and on dark ground. */
const LINE = "#2a9d74";
const AXIS = "#8a94a2";

export type ChartPoint = { readonly atMs: number; readonly balance: number };

/** From the first point to `untilMs`. */
export function drawBalance(points: readonly ChartPoint[], untilMs: number): string {
  const [first] = points;
  const fromMs = first?.atMs ?? untilMs;
  const balances = points.map(({ balance }) => balance);
  const low = Math.min(0, ...balances);
  const high = Math.max(1, ...balances);
  const x = (ms: number) => LEFT + ((ms - fromMs) / Math.max(1, untilMs - fromMs)) * (WIDTH - 2 * LEFT);
  const y = (balance: number) => MARGIN + ((high - balance) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const text = (value: number) => value.toFixed(1);
  let path = first ? `M${text(x(fromMs))} ${text(y(first.balance))}` : "";
  for (const { atMs, balance } of points) path += `H${text(x(atMs))}V${text(y(balance))}`;
  path += `H${text(x(untilMs))}`;
  const zero = text(y(0));
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img"><path d="M${LEFT} ${zero}H${WIDTH - LEFT}" stroke="${AXIS}" stroke-width="0.5"/><path d="${path}" fill="none" stroke="${LINE}" stroke-width="1.5"/></svg>`.toString();
}
