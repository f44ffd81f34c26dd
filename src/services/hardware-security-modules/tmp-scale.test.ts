import { test } from "vitest";
import { startInstance } from "../../../tests/support/medley.ts";
test.each(["sqlite", "postgres"] as const)("scale %s", async (on) => {
  const i = await startInstance({ on, services: ["hardware-security-modules", "resource-manager"], strictAnswers: false, recordFolder: undefined });
  const base = "/management/subscriptions/scale/resourceGroups/rg/providers/Vendor.HardwareSecurityModules/dedicatedHSMs";
  const v = "?api-version=2018-10-31-preview";
  const t0 = performance.now();
  let n = 0;
  const total = 10000;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (n < total) { const k = n++; const r = await i.bearer("PUT", `${base}/hsm-${String(k).padStart(6, "0")}${v}`, { body: { location: "westus", sku: { name: "SafeNet Luna Network HSM A790" }, tags: {n: String(k)}, properties: {} } }); if (r.status !== 201) throw new Error(r.text); }
  }));
  console.log(on, "insert", total, ((performance.now() - t0) / 1000).toFixed(1), "s");
  for (const [what, start] of [["subscription", `/management/subscriptions/scale/providers/Vendor.HardwareSecurityModules/dedicatedHSMs${v}&$top=100`], ["group", `${base}${v}&$top=100`], ["resources", `/management/subscriptions/scale/resources?api-version=2021-04-01&$top=100`]] as const) {
    let link: string | undefined = start; const times: number[] = []; let seen = 0;
    while (link) { const t = performance.now(); const r: any = await i.bearer("GET", link); times.push(performance.now() - t); seen += r.body.value.length; link = r.body.nextLink; }
    const med = (a: number[]) => a.toSorted((x, y) => x - y)[Math.floor(a.length / 2)]!.toFixed(1);
    console.log(on, what, seen, "median of first 20 pages", med(times.slice(0, 20)), "last 20", med(times.slice(-20)));
  }
  const t = performance.now();
  const d = await i.bearer("DELETE", "/management/subscriptions/scale/resourceGroups/rg?api-version=2021-04-01");
  let s: any; do { await new Promise(r => setTimeout(r, 200)); s = await i.bearer("GET", d.headers.get("location")!); } while (s.status === 202);
  console.log("deleted", s.status, ((performance.now() - t) / 1000).toFixed(1), "s");
  await i.stop();
}, 900000);
