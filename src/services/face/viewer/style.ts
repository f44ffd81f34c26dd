/** Styles of this page only. The common styles are shared. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section{margin-top:1.6rem}
.picture{margin-top:1.1rem}
.picture canvas{display:block;max-width:100%;height:auto;border-radius:var(--small)}
.picture figcaption{margin:.6rem 0;overflow-wrap:anywhere}
.column>section>h2+*{margin-top:.5rem}
.column>section>p+*{margin-top:.7rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.5rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td{overflow-wrap:anywhere}
.near+.near{margin-top:.2rem}
.same{font-weight:650;color:var(--accent)}
@media (max-width:44rem){
.faces thead{display:none}
.faces tr{display:block;padding:.4rem 0}
.faces th,.faces td{display:block;padding:.15rem 0}
.faces td::before{content:attr(data-label)": ";color:var(--muted)}
.faces .near{display:inline}.faces .near+.near::before{content:", ";font-weight:400;color:var(--text)}}
`);
