/** The event types, which are also the subscription types. */
export const EVENT_TYPES = {
  "assignment.created": "An assignment was made",
  "assignment.changed": "An assignment was changed",
  "assignment.opened": "An assignment opened",
  "assignment.closed": "An assignment closed",
  "assignment.deleted": "An assignment was deleted",
  "contribution.created": "A contribution came in",
  "contribution.changed": "A contribution was changed by its sender",
  "contribution.approved": "A contribution was approved",
  "contribution.rejected": "A contribution was rejected",
  "contribution.held": "A contribution was held back",
  "contribution.flagged": "A contribution was flagged",
  "contribution.hidden": "A contribution was hidden by flags",
  "contribution.liked": "A contribution was liked",
  "contribution.deleted": "A contribution was deleted",
  "form.created": "A form was made",
  "form.deleted": "A form was deleted",
  "form-response.created": "A form was filled in",
  "tag.created": "A tag was made",
  "tagset.created": "A tag set was made",
} as const;
export type EventType = keyof typeof EVENT_TYPES;
