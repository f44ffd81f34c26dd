/** Rows of subscriptions. Times are milliseconds on the kernel clock. */

export type SubscriptionRow = {
  account: string;
  id: string;
  user_id: string;
  /** Null for everything that the user may see. */
  assignment_id: string | null;
  /** JSON array of event types. */
  types: string;
  email: string | null;
  slack_channel: string | null;
  webhook_url: string | null;
  push_url: string | null;
  include_body: number;
  include_thumbnail: number;
  /** Sealed. Deliveries are signed with it. */
  token: string;
  /** The address by which the subscriber reached this service. */
  base_url: string;
  created_at: number;
};

export type NotificationTables = { contributions_subscription: SubscriptionRow };
export const notificationTables: readonly (keyof NotificationTables)[] = ["contributions_subscription"];
