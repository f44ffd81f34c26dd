/** The states of a contribution and their transitions. */

export const STATES = ["pending", "approved", "rejected", "flagged"] as const;
export type StateName = (typeof STATES)[number];
export const ACTIONS = ["approve", "reject", "hold", "flag"] as const;
export type ActionName = (typeof ACTIONS)[number];

const STATE_LABELS: Readonly<Record<StateName, string>> = {
  pending: "Waiting for a moderator",
  approved: "Approved",
  rejected: "Rejected",
  flagged: "Hidden by flags",
};
const ACTION_TABLE: Readonly<Record<ActionName, readonly [label: string, to: StateName]>> = {
  approve: ["Approve", "approved"],
  reject: ["Reject", "rejected"],
  hold: ["Hold back", "pending"],
  flag: ["Flag", "flagged"],
};

export const isPublicState = (state: StateName): boolean => state === "approved";
export const stateView = (state: StateName) => ({
  id: state,
  label: STATE_LABELS[state],
  public: isPublicState(state),
});
export const actionView = (action: ActionName) => ({
  id: action,
  label: ACTION_TABLE[action][0],
  resultingState: stateView(ACTION_TABLE[action][1]),
});
export const stateAfter = (action: ActionName): StateName => ACTION_TABLE[action][1];

/** `before`: a moderator decides first. `after`: it is public at once. */
export const POLICIES = ["before", "after"] as const;
export type Policy = (typeof POLICIES)[number];
export const firstState = (policy: Policy): StateName => (policy === "after" ? "approved" : "pending");

export const FLAG_TYPES = ["offensive", "spam", "copyright", "privacy", "inaccurate", "other"] as const;
export type FlagType = (typeof FLAG_TYPES)[number];
/** Flags hide only public contributions. A moderator has decided on the others. */
export const hidesByFlags = (state: StateName, flags: number, flagsHide: number): boolean =>
  isPublicState(state) && flags >= flagsHide;
