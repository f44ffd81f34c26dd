/** Styles of this page only. The common styles are shared. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
#report>section{margin-top:1.6rem}
#report>section>h2+*{margin-top:.5rem}
#report>section>p+*{margin-top:.7rem}
.verdict{font-size:1.25rem;font-weight:650;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.7rem 1.2rem;margin:.9rem 0}
.facts .whole{grid-column:1/-1}
.facts dt{font-size:.8125rem;color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.45rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
td.number,td.answer,td.place{white-space:nowrap}
code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.875em}
.sections{display:grid;gap:.9rem}
.section-name{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap;font-size:.9375rem}
.measure{display:grid;grid-template-columns:4rem 1fr 2.6rem;gap:.6rem;align-items:center;font-size:.8125rem;color:var(--muted);margin-top:.25rem}
.track{height:.7rem;border-radius:.35rem;background:var(--raised);border:1px solid var(--line);overflow:hidden}
.fill{height:100%;background:var(--accent)}
.fill.dense{background:var(--danger)}
.measure .value{text-align:right;font-variant-numeric:tabular-nums;color:var(--text)}
.timeline{list-style:none;margin:0;padding:0 0 0 1.4rem;border-left:3px solid var(--accent-line)}
.timeline li{position:relative;padding:.1rem 0 .9rem}
.timeline li::before{content:"";position:absolute;left:-1.95rem;top:.4rem;width:.8rem;height:.8rem;border-radius:50%;background:var(--accent)}
.timeline li:last-child{padding-bottom:0}
.timeline .when{font-size:.8125rem;color:var(--muted);font-variant-numeric:tabular-nums}
.scroll{max-height:26rem;overflow:auto;margin-top:.7rem;border:1px solid var(--line);border-radius:var(--small)}
.unmodelled{color:var(--muted)}
.why{white-space:nowrap;color:var(--muted);font-size:.8125rem}
#rule{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.875rem;min-height:14rem;white-space:pre;overflow:auto}
.found{margin-top:.6rem}
.found pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8125rem;margin:.3rem 0 0}
#imports details+details{margin-top:.4rem}
summary{cursor:pointer;font-weight:400}
@media (max-width:44rem){
.calls thead,.texts thead{display:none}
.calls tr,.texts tr{display:block;padding:.35rem 0}
.calls td,.texts td{display:block;padding:.1rem .6rem}
.calls td.number{text-align:left;color:var(--muted);font-size:.8125rem}}
`);
