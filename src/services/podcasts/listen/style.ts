/** Styles of the listening pages. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.head{display:grid;gap:1.2rem;grid-template-columns:minmax(5rem,11rem) minmax(0,1fr);align-items:start}
.cover{width:100%;aspect-ratio:1;object-fit:cover;border-radius:var(--radius);background:var(--accent-soft);border:1px solid var(--line)}
.facts{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;color:var(--muted);font-size:.9rem}
.player{position:sticky;top:0;background:var(--ground);padding:.6rem 0;z-index:2}
audio{width:100%;display:block}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:1rem 1.2rem;min-width:0}
.card h2{margin-bottom:.6rem}
.prose{overflow-wrap:anywhere}
.prose p+p,.prose ul,.prose ol{margin-top:.7rem}
.prose ul,.prose ol{padding-left:1.3rem;list-style:disc}
.episodes li+li{border-top:1px solid var(--line)}
.episodes a{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem 1rem;padding:.65rem 0;color:inherit;text-decoration:none}
.episodes a:hover .name{text-decoration:underline}
.episodes .name{font-weight:600;overflow-wrap:anywhere}
.episodes .when{color:var(--muted);font-size:.875rem;font-variant-numeric:tabular-nums}
.moments{max-height:26rem;overflow:auto;scroll-behavior:smooth}
.moments button{display:grid;grid-template-columns:4.2rem minmax(0,1fr);gap:.6rem;width:100%;text-align:left;font:inherit;color:inherit;
background:none;border:0;border-radius:var(--small);padding:.35rem .5rem;cursor:pointer;min-height:2rem}
.moments button:hover{background:var(--raised)}
.moments button[aria-current=true]{background:var(--accent-soft);box-shadow:inset 3px 0 0 var(--accent)}
.moments .at{color:var(--muted);font-variant-numeric:tabular-nums;font-size:.875rem;line-height:1.7}
.moments .who{font-weight:600}
.tools{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;flex-wrap:wrap}
@media (max-width:34rem){.head{grid-template-columns:5rem minmax(0,1fr)}h1{font-size:1.3rem}}
`);
