/** The dashboard and the scrape configuration in docs/: everything that they name is there. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const read = (name: string): string => readFileSync(`docs/monitoring/${name}`, "utf8");
type Panel = { title: string; targets: { expr: string; legendFormat: string }[] };
const panels: Panel[] = JSON.parse(read("grafana-dashboard.json")).panels;
const METRIC = /\b(?:medley|process|nodejs)_[a-z0-9_]+/g;
const LABEL = /by \(([^)]+)\)|\{\{(\w+)\}\}/g;
/** Prometheus itself adds these. */
const OWN_LABELS = new Set(["instance", "job", "le"]);

it("every metric and label of the dashboard is told by /_medley/metrics, where Prometheus looks for it", async () => {
  const instance = await startInstance({ services: [], extraServices: allSamples });
  const key = "x-vendor-key";
  await instance.apiKey(key, "PUT", "/sample-key/notes/seen", { body: { text: "seen" } });
  await instance.apiKey(key, "POST", "/sample-key/notes/seen:count", { body: {} });
  const [, path = ""] = /metrics_path: (\S+)/.exec(read("prometheus.yml")) ?? [];
  const text = await eventually(async () => {
    const metrics = await instance.send("GET", path);
    expect(metrics.status).toBe(200);
    return metrics.text.includes("medley_jobs_total{") && metrics.text;
  }, "a job that has run");
  expect(panels.length).toBeGreaterThan(8);
  const told = new Set(text.match(/^[a-z0-9_]+(?=[ {])/gm));
  for (const { title, targets } of panels)
    for (const { expr, legendFormat } of targets) {
      const metrics = expr.match(METRIC) ?? [];
      expect([title, metrics.filter((name) => !told.has(name))]).toEqual([title, []]);
      const labels = [...`${expr} ${legendFormat}`.matchAll(LABEL)].flatMap(([, grouped, shown]) =>
        (grouped ?? shown ?? "").split(/, */),
      );
      const lines = text.split("\n").filter((line) => metrics.some((name) => line.startsWith(`${name}{`)));
      for (const label of labels.filter((one) => !OWN_LABELS.has(one)))
        expect([title, label, lines.some((line) => line.includes(`${label}="`))]).toEqual([
          title,
          label,
          true,
        ]);
    }
  await instance.stop();
});
