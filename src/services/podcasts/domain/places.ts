/** Country and region codes, and the country of a feed. */

const CODES =
  "ae ag ai al am ao ar at au az bb be bf bg bh bj bm bn bo br bs bt bw by bz ca cg ch cl cn co cr cv cy cz de dk dm do dz ec ee eg es fi fj fm fr gb gd gh gm gr gt gw gy hk hn hr hu id ie il in is it jm jo jp ke kg kh kn kr kw ky kz la lb lc lk lr lt lu lv md mg mk ml mn mo mr ms mt mu mw mx my mz na ne ng ni nl no np nz om pa pe pg ph pk pl pt pw py qa ro ru sa sb sc se sg si sk sl sn sr st sv sz tc td th tj tm tn tr tt tw tz ua ug us uy uz vc ve vg vn ye za zw";

const REGIONS: ReadonlySet<string> = new Set(CODES.split(" "));
export const isRegion = (code: string): boolean => REGIONS.has(code);

let names: Record<string, string> | undefined;
/** Names by code, such as `us`. Created on first use, because loading the names takes 25 ms. */
export function regionNames(): Record<string, string> {
  if (names) return names;
  const english = new Intl.DisplayNames("en", { type: "region" });
  names = Object.fromEntries([...REGIONS].map((code) => [code, english.of(code.toUpperCase()) ?? code]));
  return names;
}

/** Country-code domains that sites all over the world use. */
const GENERIC_ENDINGS: ReadonlySet<string> = new Set([
  "ai",
  "co",
  "fm",
  "io",
  "la",
  "md",
  "me",
  "st",
  "tv",
  "ws",
]);

const regionOfTag = (tag: string): string | undefined => {
  const code = tag.trim().toLowerCase().split(/[-_]/).at(1);
  return code !== undefined && isRegion(code) ? code : undefined;
};
const regionOfHost = (host: string): string | undefined => {
  const ending = host.split(".").at(-1) ?? "";
  if (ending === "uk") return "gb";
  return isRegion(ending) && !GENERIC_ENDINGS.has(ending) ? ending : undefined;
};

/** From the domain of the website, then from the region of the language tag; empty if both are unknown. */
export const countryOf = (languageTag: string, host: string): string =>
  regionOfHost(host) ?? regionOfTag(languageTag) ?? "";
