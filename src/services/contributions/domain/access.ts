/** Who may see and do what. All roles are decided here. */

/** `account`: a token of the account, which may do everything. `anonymous`: only what is public. */
export type Caller =
  | { readonly kind: "account"; readonly userId: string }
  | { readonly kind: "user"; readonly userId: string }
  | { readonly kind: "anonymous"; readonly userId: undefined };

export type Owned = { readonly ownerId: string; readonly moderatorId?: string | undefined };

export const isOwner = (caller: Caller, { ownerId }: Owned): boolean =>
  caller.kind === "account" || caller.userId === ownerId;
export const isModerator = (caller: Caller, owned: Owned): boolean =>
  isOwner(caller, owned) || (caller.userId !== undefined && caller.userId === owned.moderatorId);

/**
 * What a list may show a caller: everything; or public contributions, their own, and all in the assignments that
 * they own or moderate. Nothing in `hiddenAssignments` (under an embargo) is public. `goneAssignments` are being
 * deleted.
 */
export type Sight =
  | { readonly everything: true; readonly goneAssignments: readonly string[] }
  | {
      readonly everything: false;
      readonly userId: string | undefined;
      readonly goneAssignments: readonly string[];
      readonly hiddenAssignments: readonly string[];
      readonly moderatedAssignments: readonly string[];
    };

/** The intersection of what a user could see then and may see now. */
export function narrowed(then: Sight, now: Sight): Sight {
  if (then.everything) return now;
  if (now.everything) return { ...then, goneAssignments: now.goneAssignments };
  const could = new Set(then.moderatedAssignments);
  return { ...now, moderatedAssignments: now.moderatedAssignments.filter((id) => could.has(id)) };
}

/** The name of an anonymous reader. */
export const ANONYMOUS = "anonymous";
/** The one scope of this interface. */
export const FULL = "full";
/** Operations that need no token, or any token. Handlers check each record. */
export const STRANGERS_ACTIONS: readonly string[] = [
  "contributions:GetAssignment",
  "contributions:ListAssignments",
  "contributions:GetContribution",
  "contributions:ListContributions",
  "contributions:ListRefinements",
  "contributions:ListLikes",
  "contributions:FlagContribution",
  "contributions:GetTag",
  "contributions:ListTags",
  "contributions:GetTagSet",
  "contributions:ListTagSets",
  "contributions:GetForm",
  "contributions:ListForms",
  "contributions:GetUser",
  "contributions:ListUsers",
  "contributions:GetArtifact",
  "contributions:ViewPage",
  "contributions:ContributeOnPage",
];
