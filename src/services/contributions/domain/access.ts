/** Who may see and do what: roles are decided here and nowhere else. */

/** `account`: a token of the account itself, which may do everything in it. `anonymous`: only what is public. */
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
 * What a list may show a caller: everything, or what is public, what is their own, and all of the assignments that they
 * own or moderate. Of `hiddenAssignments` (under an embargo) nothing is public; `goneAssignments` are being deleted.
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

/** What somebody may see now of what they could see then. */
export function narrowed(then: Sight, now: Sight): Sight {
  if (then.everything) return now;
  if (now.everything) return { ...then, goneAssignments: now.goneAssignments };
  const could = new Set(then.moderatedAssignments);
  return { ...now, moderatedAssignments: now.moderatedAssignments.filter((id) => could.has(id)) };
}

/** How a reader without a token is called. */
export const ANONYMOUS = "anonymous";
/** The one scope of this interface. */
export const FULL = "full";
/** What may be done without a token, or with one that was issued for something else; handlers look at each record. */
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
