/** The placeholder of a film or picture that cannot be shown: a drawing with the same proportions. */
import { html } from "#kernel/html";
import { formatNamed } from "./format.ts";
import type { Task } from "./tasks.ts";

const SIDE = 1600;
const SIDE_MIN = 400;
const GROUND = "#dfe5e8";
const INK = "#7d8c94";

const sideOf = (length: number, longest: number): number =>
  longest === 0 ? SIDE : Math.max(SIDE_MIN, Math.round((length / longest) * SIDE));

export function drawPlaceholder({
  format,
  width,
  height,
}: Pick<Task, "format" | "width" | "height">): string {
  const longest = Math.max(width, height);
  const [w, h] =
    longest === 0 ? [SIDE, Math.round((SIDE * 9) / 16)] : [sideOf(width, longest), sideOf(height, longest)];
  const unit = Math.min(w, h) / 4;
  const symbol =
    formatNamed(format).kind === "video"
      ? html`<circle r="${unit}" fill="none" stroke="${INK}" stroke-width="${unit / 8}"/><path d="M${-unit / 3} ${-unit / 2}L${unit / 1.8} 0L${-unit / 3} ${unit / 2}Z" fill="${INK}"/>`
      : html`<rect x="${-unit}" y="${-unit * 0.75}" width="${unit * 2}" height="${unit * 1.5}" rx="${unit / 8}" fill="none" stroke="${INK}" stroke-width="${unit / 8}"/><circle cx="${-unit / 2}" cy="${-unit / 4}" r="${unit / 6}" fill="${INK}"/><path d="M${-unit * 0.8} ${unit * 0.6}L${-unit / 6} ${-unit / 10}L${unit / 5} ${unit * 0.3}L${unit / 2} ${-unit / 6}L${unit * 0.8} ${unit * 0.6}Z" fill="${INK}"/>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${GROUND}"/><g transform="translate(${w / 2} ${h / 2})">${symbol}</g></svg>`
    .text;
}
