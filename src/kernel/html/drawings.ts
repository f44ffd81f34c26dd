/** Small inline drawings, so that no file is loaded. All are decoration. */
import { Markup } from "./markup.ts";

export const drawing = (shapes: string, className = ""): Markup =>
  new Markup(
    `<svg${className && ` class="${className}"`} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${shapes}</svg>`,
  );

const MARK_SHAPES =
  '<path d="M4 19V7.5a2.5 2.5 0 0 1 4.6-1.3L12 11.5l3.4-5.3A2.5 2.5 0 0 1 20 7.5V19"/><path d="M9 19v-4M15 19v-4"/>';
export const mark = drawing(MARK_SHAPES, "mark");

/** The logo as a picture of its own, as the icon beside titles. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d6b51"/><g transform="translate(4 4)" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${MARK_SHAPES}</g></svg>`;
