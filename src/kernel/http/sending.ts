/** The end of a request: its one answer gets its headers, is signed, recorded and written. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dialect } from "../dialects/dialect.ts";
import type { Service } from "../operation/service.ts";
import type { AnsweredCall, Protocol } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { type Answered, observe } from "./observed.ts";
import {
  type AnswerWriter,
  discardBody,
  gatherHeaders,
  inAscii,
  keptBodyOf,
  type Outgoing,
} from "./respond.ts";
import { signAnswer } from "./sign-answer.ts";
import { unknownWarning } from "./unknown-names.ts";

/** What is known of the request when it is answered. */
type Asked = Pick<Answered, "phases" | "located" | "route" | "principal" | "received"> & {
  readonly call: AnsweredCall;
  readonly answering: Service | undefined;
  readonly protocol: Protocol | undefined;
  readonly dialect: Dialect | undefined;
  /** Undeclared names in the request. */
  readonly unknown: readonly string[] | undefined;
};

export class Sending {
  readonly #kernel: Kernel;
  readonly #writer: AnswerWriter;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #answered = false;

  constructor(kernel: Kernel, writer: AnswerWriter, request: IncomingMessage, response: ServerResponse) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#request = request;
    this.#response = response;
  }

  /** The first answer is sent; a later one, such as that of a request which took too long, is dropped. */
  send(given: Outgoing, asked: Asked): void {
    if (this.#answered) {
      discardBody(given);
      return;
    }
    this.#answered = true;
    try {
      this.#sendOnce(given, asked);
    } catch (error) {
      this.#sendNothingElse(error, asked);
    }
  }
  #sendOnce(given: Outgoing, asked: Asked): void {
    const { dialect, protocol, call, unknown } = asked;
    const outgoing = dialect?.isAscii ? inAscii(given) : given;
    const declared = asked.route?.compiled.answerHeaders;
    const headers = gatherHeaders(protocol?.answerHeaders(call), declared, outgoing);
    if (unknown) headers.warning = unknownWarning(unknown);
    const signing = signAnswer(this.#kernel, asked.answering, protocol, call, outgoing);
    if (signing)
      signing
        .then((signature) => this.#write({ ...headers, ...signature }, outgoing, asked))
        .catch((error: unknown) => this.#sendNothingElse(error, asked));
    else this.#write(headers, outgoing, asked);
  }
  /** The caller always gets an answer, even if the intended one failed. */
  #sendNothingElse(error: unknown, { call: { id } }: Asked): void {
    this.#kernel.log.error("an answer could not be made", { id, error: String(error) });
    const outgoing = { status: 500, contentType: undefined, headers: {}, body: undefined };
    this.#writer.write({ request: this.#request, response: this.#response, headers: {}, outgoing });
  }
  #write(headers: ReturnType<typeof gatherHeaders>, outgoing: Outgoing, asked: Asked): void {
    const { dialect, phases, located, route, principal, received } = asked;
    const spelt = dialect ? (dialect.makersHeaders(headers) as typeof headers) : headers;
    observe(this.#kernel, {
      id: asked.call.id,
      request: this.#request,
      phases,
      located,
      route,
      principal,
      received,
      status: outgoing.status,
      answerHeaders: spelt,
      answerBody: keptBodyOf(outgoing),
    });
    this.#writer.write({ request: this.#request, response: this.#response, headers: spelt, outgoing });
  }
}
