/** Who calls, and with what request, as a handler's context tells it. */
import type { Principal, RequestInfo } from "../operation/context.ts";
import type { Who } from "../runtime/context.ts";

/** Most handlers never ask about the request itself, so what there is to say of it is put together on demand. */
export class Caller implements Who {
  readonly service: string;
  readonly principal: Principal;
  readonly #describe: () => RequestInfo;
  #request: RequestInfo | undefined;
  constructor(service: string, principal: Principal, describe: () => RequestInfo) {
    this.service = service;
    this.principal = principal;
    this.#describe = describe;
  }
  get request(): RequestInfo {
    this.#request ??= this.#describe();
    return this.#request;
  }
}
