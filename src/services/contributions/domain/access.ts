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
 * What a list may show a caller. Everything, or what is public, what is their own, and all of the assignments that they
 * own or moderate; of `hiddenAssignments` (under an embargo) nothing is public.
 */
export type Sight =
  | { readonly everything: true }
  | {
      readonly everything: false;
      readonly userId: string | undefined;
      readonly moderatedAssignments: readonly string[];
      readonly hiddenAssignments: readonly string[];
    };
