/** What is kept of pages to pay on. */
import type { Money } from "../domain/money.ts";

export type TabKept = {
  readonly money?: Money | undefined;
  readonly description: string;
  readonly redirectUrl?: string | undefined;
  readonly shareUuid: string;
  readonly expiresAtMs: number;
};
export type ProfileKept = {
  readonly description: string;
  readonly color: string;
  readonly shareUuid: string;
};
