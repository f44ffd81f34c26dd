/** Checks of a page for every browser test. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A phone in the light scheme and a desk in the dark one. */
export const VIEWS = [
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
] as const;

/** The page breaks no rule of accessibility. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  )) as axe.AxeResults;
  const problems = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
  expect(problems).toEqual([]);
}

/** Nothing is wider than the window. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(
    0,
  );
}
