/** Public interface of `pages`: the pages in people's browsers. Imports all other rooms. */
export { renderErrorPage } from "./error-page.ts";
export { operations as pageOperations } from "./operations/index.ts";
export { OWNER_COOKIE, OWNER_SIGN_IN_PATH } from "./owner.ts";
