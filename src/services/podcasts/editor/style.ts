/** Styles of the editor in addition to the common styles. */
import { styleWith } from "#kernel/html";

export const style = styleWith(`
.column>form+form{margin-top:1.6rem}
.chosen{padding:0;list-style:none}
.chosen li{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .8rem;padding:.45rem 0}
.chosen li+li{border-top:1px solid var(--line)}
.chosen .name{flex:1 1 12rem;min-width:0;overflow-wrap:anywhere}
.chosen .by{color:var(--muted);font-size:.875rem}
.chosen button{min-height:2rem;padding:.1rem .7rem}
`);
