/** Styles of this page in addition to the common ones. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>section,.column>form+form{margin-top:1.6rem}
.column>section>h2+*{margin-top:.5rem}
pre{overflow:auto;max-height:24rem;white-space:pre-wrap;overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.8rem}
.figures dt{font-size:.8125rem;color:var(--muted);font-weight:600}
.figures dd{margin:0;font-size:1.25rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
td{overflow-wrap:anywhere}
`);
