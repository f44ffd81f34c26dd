/** The families of protocols that services speak. */
export { arm } from "./arm.ts";
export { cookiesOf } from "./cookies.ts";
export {
  apiKeyIn,
  basic,
  basicCredentialsOf,
  bearer,
  bearerTokenOf,
  headerOf,
  type Scheme,
  WrongCredential,
} from "./credentials.ts";
export { googleapis } from "./googleapis.ts";
export { preferredOf } from "./negotiation.ts";
export { asRenderedError } from "./page-error.ts";
export { plain } from "./plain.ts";
export {
  type AnsweredCall,
  type Authenticated,
  type AuthenticationTools,
  type Call,
  type ErrorToRender,
  type PathParams,
  type Protocol,
  plainErrorNames,
  type ReceivedBody,
  type RenderedError,
} from "./protocol.ts";
export { sigv4 } from "./sigv4/protocol.ts";
export { type QueryResult, QueryTime, queryAnswer, sigv4Query } from "./sigv4/query.ts";
