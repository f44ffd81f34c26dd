/** The caller and the request, for the context of a handler. */
import type { Principal, RequestInfo } from "../operation/context.ts";
import type { Who } from "../runtime/context.ts";

/** Most handlers never read the request, so its description is built on demand. */
export class Caller implements Who {
  readonly service: string;
  readonly principal: Principal;
  readonly mayBeOld: boolean;
  readonly resource: string | undefined;
  readonly #describe: () => RequestInfo;
  #request: RequestInfo | undefined;
  constructor(
    service: string,
    principal: Principal,
    describe: () => RequestInfo,
    { mayBeOld = false, resource }: Pick<Who, "mayBeOld" | "resource"> = {},
  ) {
    this.service = service;
    this.principal = principal;
    this.mayBeOld = mayBeOld;
    this.resource = resource;
    this.#describe = describe;
  }
  get request(): RequestInfo {
    this.#request ??= this.#describe();
    return this.#request;
  }
}
