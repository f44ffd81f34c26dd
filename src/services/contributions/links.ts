/** Signed links: each grants one purpose for a limited time. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "#kernel/operation";
import { isPublicLabel } from "./domain/artifact-formats.ts";

const DAY_MS = 86_400_000;

type Secrets = Pick<Context["secrets"], "deriveKey">;
type Link = { readonly account: string; readonly expiresAtMs: number };
export type ArtifactLink = Link & { readonly media: string; readonly label: string };
export type ExportLink = Link & { readonly export: string };
type Purpose = "artifact" | "export";

const macOf = (secrets: Secrets, purpose: Purpose, content: string): Buffer =>
  createHmac("sha256", secrets.deriveKey(`contributions ${purpose}`))
    .update(content)
    .digest();

/** The same for the same link, so that browsers can cache its target. */
function sign(secrets: Secrets, purpose: Purpose, link: Link): string {
  const content = Buffer.from(JSON.stringify(link)).toString("base64url");
  return `${content}.${macOf(secrets, purpose, content).toString("base64url")}`;
}
/** Undefined if the link was not signed here for this purpose, or has expired. */
function find(secrets: Secrets, purpose: Purpose, signed: string, nowMs: number): unknown {
  const [content = "", mac = ""] = signed.split(".");
  const given = Buffer.from(mac, "base64url");
  const right = macOf(secrets, purpose, content);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const link = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as Link;
  return link.expiresAtMs > nowMs ? link : undefined;
}

type Shown = {
  readonly base: string;
  readonly media: string;
  readonly label: string;
  readonly isPublic: boolean;
};
/** A public record has a permanent address. Others have a signed one, valid until the end of the next day. */
export function artifactAddress(
  { account, secrets, clock }: Pick<Context, "account" | "secrets" | "clock">,
  { base, media, label, isPublic }: Shown,
): string {
  if (isPublic && isPublicLabel(label)) return `${base}/media/${media}/${label}`;
  const link: ArtifactLink = {
    account,
    media,
    label,
    expiresAtMs: (Math.floor(clock.nowMs() / DAY_MS) + 2) * DAY_MS,
  };
  return `${base}/private-media/${sign(secrets, "artifact", link)}`;
}
export const findArtifactLink = (secrets: Secrets, signed: string, nowMs: number): ArtifactLink | undefined =>
  find(secrets, "artifact", signed, nowMs) as ArtifactLink | undefined;
export const signExportLink = (secrets: Secrets, link: ExportLink): string => sign(secrets, "export", link);
export const findExportLink = (secrets: Secrets, signed: string, nowMs: number): ExportLink | undefined =>
  find(secrets, "export", signed, nowMs) as ExportLink | undefined;
