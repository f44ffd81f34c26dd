/** The Client Object on the wire. */
export { ClientAnswer } from "./answer.ts";
export { ClientBody } from "./body.ts";
