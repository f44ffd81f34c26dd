/** Where a client wants to be told that somebody has signed out. Pure. */
import type { LogoutMetadata } from "../domain/metadata.ts";
import { findCallbackProblem, originOf, originsOf } from "../domain/redirect-uris.ts";
import { errors } from "../errors.ts";
import type { ClientBody } from "../wire.ts";

const invalid = (member: string, problem: string) =>
  errors.invalidClientMetadata(`${member}: ${problem}.`, { target: member });

function readCallback(member: string, uri: string): string {
  const problem = findCallbackProblem(uri);
  if (problem !== undefined) throw invalid(member, problem);
  return uri;
}

/** A frame may show nothing but the application itself. */
function readFrame(uri: string, redirectUris: readonly string[]): string {
  const checked = readCallback("frontchannel_logout_uri", uri);
  if (!originsOf(redirectUris).includes(originOf(checked) ?? ""))
    throw invalid("frontchannel_logout_uri", "its origin must be that of a registered redirect");
  return checked;
}

export function readLogoutUris(body: ClientBody, redirectUris: readonly string[]): LogoutMetadata {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = body;
  return {
    ...(back !== undefined && {
      backchannelLogoutUri: readCallback("backchannel_logout_uri", back),
      backchannelSessionRequired: body.backchannel_logout_session_required ?? false,
    }),
    ...(front !== undefined && {
      frontchannelLogoutUri: readFrame(front, redirectUris),
      frontchannelSessionRequired: body.frontchannel_logout_session_required ?? false,
    }),
  };
}

export const shownLogoutUris = (metadata: LogoutMetadata) => ({
  ...(metadata.backchannelLogoutUri !== undefined && {
    backchannel_logout_uri: metadata.backchannelLogoutUri,
    backchannel_logout_session_required: metadata.backchannelSessionRequired ?? false,
  }),
  ...(metadata.frontchannelLogoutUri !== undefined && {
    frontchannel_logout_uri: metadata.frontchannelLogoutUri,
    frontchannel_logout_session_required: metadata.frontchannelSessionRequired ?? false,
  }),
});
