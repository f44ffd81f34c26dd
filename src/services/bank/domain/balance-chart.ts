/** A balance over time, drawn as steps. */
import { html } from "#kernel/html";

const WIDTH = 640;
const HEIGHT = 160;
const LEFT = 8;
const BOTTOM = 18;
const TOP = 14;

export type ChartPoint = { readonly atMs: number; readonly balance: number };
export type ChartWords = {
  readonly first: string;
  readonly last: string;
  readonly top: string;
  readonly bottom: string;
};

/** From the first point to `untilMs`; the least and the most that there was are written beside it. */
export function drawBalance(points: readonly ChartPoint[], untilMs: number, words: ChartWords): string {
  const [first] = points;
  const fromMs = first?.atMs ?? untilMs;
  const balances = points.map(({ balance }) => balance);
  const low = Math.min(0, ...balances);
  const high = Math.max(1, ...balances);
  const x = (ms: number) => LEFT + ((ms - fromMs) / Math.max(1, untilMs - fromMs)) * (WIDTH - 2 * LEFT);
  const y = (balance: number) => TOP + ((high - balance) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const text = (value: number) => value.toFixed(1);
  let path = first ? `M${text(x(fromMs))} ${text(y(first.balance))}` : "";
  for (const { atMs, balance } of points) path += `H${text(x(atMs))}V${text(y(balance))}`;
  path += `H${text(x(untilMs))}`;
  const zero = text(y(0));
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="10"><path d="M${LEFT} ${zero}H${WIDTH - LEFT}" stroke="#9aa4b2" stroke-width="0.5"/><path d="${path}" fill="none" stroke="#0b6e4f" stroke-width="1.5"/><text x="${LEFT}" y="10" fill="#667080">${words.top}</text><text x="${LEFT}" y="${HEIGHT - 5}" fill="#667080">${words.first} · ${words.bottom}</text><text x="${WIDTH - LEFT}" y="${HEIGHT - 5}" fill="#667080" text-anchor="end">${words.last}</text></svg>`.toString();
}
