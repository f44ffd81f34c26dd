/** Styles of this page, in addition to the common style. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section,.column>form+form{margin-top:1.6rem}
.media{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.8rem;margin-top:.8rem}
.media img,.media video{width:100%;aspect-ratio:3/2;max-height:60vh;object-fit:contain;background:var(--raised);border-radius:.5rem}
#text{white-space:pre-wrap;overflow-wrap:anywhere}
#shown{scroll-margin-top:1rem}
#headline{overflow-wrap:anywhere;margin-bottom:.6rem}
#headline:focus{outline:none}
.facts{display:grid;grid-template-columns:max-content 1fr;align-items:baseline;gap:.3rem 1rem;margin:1rem 0 0}
.facts dt{color:var(--muted);font-weight:600;font-size:.9rem}
.facts dd{margin:0;overflow-wrap:anywhere}
.notes{margin-top:1.2rem}
.decisions{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:.6rem;padding:.6rem 0;position:sticky;bottom:0;background:var(--surface)}
.decisions .button{flex:1 1 auto}
kbd{border:1px solid currentColor;border-radius:.25rem;padding:0 .3rem;font-size:.8125rem}
`);
