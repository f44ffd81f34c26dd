/** Actions of jobs in the spelling of the API. Secrets are stored separately. */

export const ACTION_TYPES = ["Http", "Https", "StorageQueue", "ServiceBusQueue", "ServiceBusTopic"] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export const ACTION_NAMES = ["MainAction", "ErrorAction"] as const;
export type ActionName = (typeof ACTION_NAMES)[number];

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export const TRANSPORT_TYPES = ["NotSpecified", "NetMessaging", "AMQP"] as const;

/** Public facts of a client certificate. */
export type CertificateFacts = {
  readonly certificateThumbprint?: string;
  readonly certificateSubjectName?: string;
  readonly certificateExpirationDate?: string;
};

export type HttpAuthentication =
  | { readonly type: "NotSpecified" }
  | { readonly type: "Basic"; readonly username: string }
  | ({ readonly type: "ClientCertificate" } & CertificateFacts)
  | {
      readonly type: "ActiveDirectoryOAuth";
      readonly tenant: string;
      readonly audience: string;
      readonly clientId: string;
    };

export type HttpRequest = {
  readonly uri: string;
  readonly method: HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly authentication?: HttpAuthentication;
};

export type StorageQueueMessage = {
  readonly storageAccount: string;
  readonly queueName: string;
  readonly message: string;
};

export type ServiceBusMessage = {
  readonly namespace: string;
  readonly message: string;
  readonly transportType?: (typeof TRANSPORT_TYPES)[number];
  readonly authentication?: {
    readonly type: "NotSpecified" | "SharedAccessKey";
    readonly sasKeyName?: string;
  };
  readonly brokeredMessageProperties?: Readonly<Record<string, string | boolean>>;
  readonly customMessageProperties?: Readonly<Record<string, string>>;
};
export type ServiceBusQueueMessage = ServiceBusMessage & { readonly queueName: string };
export type ServiceBusTopicMessage = ServiceBusMessage & { readonly topicPath: string };

export type RetryPolicyText = {
  readonly retryType: "None" | "Fixed";
  readonly retryInterval?: string;
  readonly retryCount?: number;
};

export type ErrorAction = { readonly retryPolicy?: RetryPolicyText } & (
  | { readonly type: "Http" | "Https"; readonly request: HttpRequest }
  | { readonly type: "StorageQueue"; readonly queueMessage: StorageQueueMessage }
  | { readonly type: "ServiceBusQueue"; readonly serviceBusQueueMessage: ServiceBusQueueMessage }
  | { readonly type: "ServiceBusTopic"; readonly serviceBusTopicMessage: ServiceBusTopicMessage }
);
export type MessageAction = Exclude<ErrorAction, { type: "Http" | "Https" }>;
export type Action = ErrorAction & { readonly errorAction?: ErrorAction };

export const actionLimits = { bodyLengthMax: 8_192, headersMax: 50, uriLengthMax: 2_048 } as const;

/** Path of each action in the properties of a job. Secrets are stored under these paths. */
export const actionPaths: Readonly<Record<ActionName, string>> = {
  MainAction: "action",
  ErrorAction: "action.errorAction",
};

function presentsCredentials(action: ErrorAction): boolean {
  if (action.type !== "Http" && action.type !== "Https") return false;
  const type = action.request.authentication?.type ?? "NotSpecified";
  return type !== "NotSpecified";
}

/** Whether an HTTP request of the job has credentials, which some plans do not allow. */
export function authenticates(action: Action): boolean {
  return (
    presentsCredentials(action) ||
    (action.errorAction !== undefined && presentsCredentials(action.errorAction))
  );
}
