/** The style of the public pages. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.cover{width:100%;height:auto;max-height:22rem;object-fit:cover;border-radius:var(--radius);border:1px solid var(--line);display:block}
.brief{white-space:pre-wrap;overflow-wrap:anywhere}
.card>h2{margin-bottom:.9rem}
.gallery{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(min(8.5rem,44%),1fr))}
.gallery a{display:block;border-radius:var(--small);overflow:hidden;background:var(--accent-soft);border:1px solid var(--line)}
.gallery img{display:block;width:100%;height:auto;aspect-ratio:1;object-fit:cover}
.entries>li+li{border-top:1px solid var(--line);margin-top:1.2rem;padding-top:1.2rem}
.entries h3{overflow-wrap:anywhere}
.entries .told{white-space:pre-wrap;overflow-wrap:anywhere}
.answers{margin:0;display:grid;gap:.3rem}
.answers div{display:flex;flex-wrap:wrap;gap:.1rem .6rem}
.answers dt{color:var(--muted);font-size:.875rem}
.answers dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.by{display:flex;flex-wrap:wrap;gap:.1rem .9rem;color:var(--muted);font-size:.875rem}
.shown{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr))}
.shown img,.shown video{width:100%;height:auto;max-height:30rem;object-fit:contain;background:var(--raised);border-radius:var(--small);display:block}
#sent{scroll-margin-top:1rem}
.chosen{display:grid;gap:.3rem;margin-top:.5rem;font-size:.875rem;color:var(--muted)}
.choices,.asked{border:0;margin-inline:0;padding:0;min-width:0}
.choices{display:grid;gap:.4rem}
.choices>legend,.asked>legend{padding:0;font-weight:600}
.choices>legend{margin-bottom:.4rem}
.asked>legend{font-size:1.125rem}
.ways{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1.2rem}
progress{width:100%;height:1rem;accent-color:var(--accent)}
input[type=file]{padding:.5rem}
input[type=file]::file-selector-button{font:inherit;font-size:.9rem;padding:.25rem .7rem;margin-right:.7rem;border:1px solid var(--line);border-radius:var(--small);background:var(--raised);color:inherit;cursor:pointer}
`);
