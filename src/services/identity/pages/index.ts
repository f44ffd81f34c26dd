/** The door of pages: what people see in their browsers. Knows all other rooms. */
export { renderErrorPage } from "./error-page.ts";
export { operations as pageOperations } from "./operations/index.ts";
export { OWNER_COOKIE, OWNER_SIGN_IN_PATH } from "./owner.ts";
