/** SIP messages of one call: identifiers, dialog state and sequence numbers. */
import { randomBytes } from "node:crypto";
import { type Address, hostInUri } from "./datagrams.ts";
import type { SipHeader, SipRequest, SipResponse } from "./message.ts";
import { findHeader, findParameter, findUri, headerLines, headerValues } from "./message.ts";

export type CallIdentity = {
  peer: Address;
  local: Address;
  /** User parts: telephone numbers. */
  from: string;
  to: string;
  /** Domain of the peer, if it has a name. */
  domain?: string;
};

type Dialog = {
  remoteTo: string;
  remoteTag: string | undefined;
  target: string;
  routes: string[];
};

const ALLOW = "INVITE, ACK, CANCEL, BYE, OPTIONS";
/** Magic cookie of RFC 3261 at the start of every branch. */
const BRANCH_COOKIE = "z9hG4bK";

const token = () => randomBytes(10).toString("hex");

export class CallMessages {
  readonly inviteTarget: string;
  readonly #callId: string;
  readonly #localTag = token();
  readonly #from: string;
  readonly #to: string;
  readonly #contact: string;
  readonly #sentBy: string;
  #sequence = 0;
  #dialog: Dialog | undefined;

  constructor({ peer, local, from, to, domain }: CallIdentity) {
    const sentBy = `${hostInUri(local.host)}:${local.port}`;
    const remote =
      domain ?? (peer.port === 5060 ? hostInUri(peer.host) : `${hostInUri(peer.host)}:${peer.port}`);
    this.#callId = `${token()}@${hostInUri(local.host)}`;
    this.#sentBy = sentBy;
    this.inviteTarget = `sip:${to}@${remote}`;
    this.#from = `<sip:${from}@${domain ?? hostInUri(local.host)}>;tag=${this.#localTag}`;
    this.#to = `<${this.inviteTarget}>`;
    this.#contact = `<sip:${from}@${sentBy}>`;
  }

  invite(offer: string, authorization: SipHeader | undefined): SipRequest {
    this.#sequence += 1;
    const request = this.#request("INVITE", this.inviteTarget, this.#to, this.#sequence);
    request.headers.push(
      { name: "contact", value: this.#contact },
      { name: "allow", value: ALLOW },
      { name: "content-type", value: "application/sdp" },
      ...(authorization === undefined ? [] : [authorization]),
    );
    request.body = offer;
    return request;
  }

  /** CANCEL has the route, branch and sequence number of its INVITE. */
  cancel(invite: SipRequest): SipRequest {
    return this.#companion("CANCEL", invite, this.#to);
  }

  acknowledgeRefusal(invite: SipRequest, response: SipResponse): SipRequest {
    return this.#companion("ACK", invite, findHeader(response, "to") ?? this.#to);
  }

  /** Takes the dialog state from the response. */
  enterDialog(response: SipResponse): void {
    const remoteTo = findHeader(response, "to") ?? this.#to;
    const contact = headerValues(response, "contact")[0] ?? "";
    this.#dialog = {
      remoteTo,
      remoteTag: findParameter(remoteTo, "tag"),
      target: findUri(contact) ?? this.inviteTarget,
      routes: headerValues(response, "record-route").reverse(),
    };
  }

  /** URI of the next hop for requests of the dialog. */
  get nextHop(): string {
    const route = this.#dialog?.routes[0];
    return (route === undefined ? undefined : findUri(route)) ?? this.#dialog?.target ?? this.inviteTarget;
  }

  acknowledgeAnswer(invite: SipRequest): SipRequest {
    const number = Number(findHeader(invite, "cseq")?.split(" ")[0]);
    const request = this.#inDialog("ACK", number);
    request.headers.push(...invite.headers.filter(({ name }) => name.endsWith("authorization")));
    return request;
  }

  bye(authorization: SipHeader | undefined): SipRequest {
    this.#sequence += 1;
    const request = this.#inDialog("BYE", this.#sequence);
    if (authorization !== undefined) request.headers.push(authorization);
    return request;
  }

  isOfThisCall(message: SipRequest | SipResponse): boolean {
    return findHeader(message, "call-id") === this.#callId;
  }

  isOfThisDialog(request: SipRequest): boolean {
    const fromTag = findParameter(findHeader(request, "from") ?? "", "tag");
    const toTag = findParameter(findHeader(request, "to") ?? "", "tag");
    return this.#dialog !== undefined && toTag === this.#localTag && fromTag === this.#dialog.remoteTag;
  }

  reply(request: SipRequest, status: number, reason: string): SipResponse {
    const copied = ["via", "from", "to", "call-id", "cseq"].flatMap((name) =>
      headerLines(request, name).map((value) => ({ name, value })),
    );
    const extra = status === 405 || request.method === "OPTIONS" ? [{ name: "allow", value: ALLOW }] : [];
    return { kind: "response", status, reason, headers: [...copied, ...extra], body: "" };
  }

  #inDialog(method: string, sequence: number): SipRequest {
    const dialog = this.#dialog;
    const target = dialog?.target ?? this.inviteTarget;
    const request = this.#request(method, target, dialog?.remoteTo ?? this.#to, sequence);
    request.headers.push(...(dialog?.routes ?? []).map((value) => ({ name: "route", value })));
    return request;
  }

  #request(method: string, target: string, to: string, sequence: number): SipRequest {
    const headers = [
      { name: "via", value: `SIP/2.0/UDP ${this.#sentBy};branch=${BRANCH_COOKIE}${token()};rport` },
      { name: "max-forwards", value: "70" },
      { name: "from", value: this.#from },
      { name: "to", value: to },
      { name: "call-id", value: this.#callId },
      { name: "cseq", value: `${sequence} ${method}` },
      { name: "user-agent", value: "Medley" },
    ];
    return { kind: "request", method, target, headers, body: "" };
  }

  #companion(method: string, invite: SipRequest, to: string): SipRequest {
    const number = Number(findHeader(invite, "cseq")?.split(" ")[0]);
    const request = this.#request(method, invite.target, to, number);
    const via = findHeader(invite, "via") ?? "";
    request.headers[0] = { name: "via", value: via };
    return request;
  }
}
