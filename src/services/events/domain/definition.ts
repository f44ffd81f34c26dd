/** Definitions of detector and alarm models, as in requests. */

export type PayloadTemplate = { readonly contentExpression: string; readonly type: "STRING" | "JSON" };
type Payloaded = { readonly payload?: PayloadTemplate | undefined };

export type SetVariable = { readonly variableName: string; readonly value: string };
export type SetTimer = {
  readonly timerName: string;
  readonly seconds?: number | undefined;
  readonly durationExpression?: string | undefined;
};
export type TimerByName = { readonly timerName: string };
export type AssetPropertyValue = {
  readonly value?:
    | {
        readonly stringValue?: string | undefined;
        readonly integerValue?: string | undefined;
        readonly doubleValue?: string | undefined;
        readonly booleanValue?: string | undefined;
      }
    | undefined;
  readonly timestamp?:
    | { readonly timeInSeconds: string; readonly offsetInNanos?: string | undefined }
    | undefined;
  readonly quality?: string | undefined;
};

/** Actions that send to other services. */
export type AlarmAction = {
  readonly sns?: ({ readonly targetArn: string } & Payloaded) | undefined;
  readonly iotTopicPublish?: ({ readonly mqttTopic: string } & Payloaded) | undefined;
  readonly lambda?: ({ readonly functionArn: string } & Payloaded) | undefined;
  readonly iotEvents?: ({ readonly inputName: string } & Payloaded) | undefined;
  readonly sqs?:
    | ({ readonly queueUrl: string; readonly useBase64?: boolean | undefined } & Payloaded)
    | undefined;
  readonly firehose?:
    | ({ readonly deliveryStreamName: string; readonly separator?: string | undefined } & Payloaded)
    | undefined;
  readonly dynamoDB?:
    | ({
        readonly hashKeyType?: string | undefined;
        readonly hashKeyField: string;
        readonly hashKeyValue: string;
        readonly rangeKeyType?: string | undefined;
        readonly rangeKeyField?: string | undefined;
        readonly rangeKeyValue?: string | undefined;
        readonly operation?: string | undefined;
        readonly payloadField?: string | undefined;
        readonly tableName: string;
      } & Payloaded)
    | undefined;
  readonly dynamoDBv2?: ({ readonly tableName: string } & Payloaded) | undefined;
  readonly iotSiteWise?:
    | {
        readonly entryId?: string | undefined;
        readonly assetId?: string | undefined;
        readonly propertyId?: string | undefined;
        readonly propertyAlias?: string | undefined;
        readonly propertyValue?: AssetPropertyValue | undefined;
      }
    | undefined;
};
export type Action = AlarmAction & {
  readonly setVariable?: SetVariable | undefined;
  readonly setTimer?: SetTimer | undefined;
  readonly clearTimer?: TimerByName | undefined;
  readonly resetTimer?: TimerByName | undefined;
};

export type Event = {
  readonly eventName: string;
  readonly condition?: string | undefined;
  readonly actions?: readonly Action[] | undefined;
};
export type TransitionEvent = {
  readonly eventName: string;
  readonly condition: string;
  readonly actions?: readonly Action[] | undefined;
  readonly nextState: string;
};
export type Lifecycle = { readonly events?: readonly Event[] | undefined };
export type State = {
  readonly stateName: string;
  readonly onInput?:
    | (Lifecycle & { readonly transitionEvents?: readonly TransitionEvent[] | undefined })
    | undefined;
  readonly onEnter?: Lifecycle | undefined;
  readonly onExit?: Lifecycle | undefined;
};
export type DetectorModelDefinition = {
  readonly states: readonly State[];
  readonly initialStateName: string;
};
export type EvaluationMethod = "BATCH" | "SERIAL";

export type ComparisonOperator =
  | "GREATER"
  | "GREATER_OR_EQUAL"
  | "LESS"
  | "LESS_OR_EQUAL"
  | "EQUAL"
  | "NOT_EQUAL";
export type AlarmRule = {
  readonly simpleRule?:
    | {
        readonly inputProperty: string;
        readonly comparisonOperator: ComparisonOperator;
        readonly threshold: string;
      }
    | undefined;
};
export type Recipient = {
  readonly ssoIdentity?:
    | { readonly identityStoreId: string; readonly userId?: string | undefined }
    | undefined;
};
export type NotificationAction = {
  readonly action: { readonly lambdaAction?: AlarmAction["lambda"] };
  readonly smsConfigurations?:
    | readonly {
        readonly senderId?: string | undefined;
        readonly additionalMessage?: string | undefined;
        readonly recipients: readonly Recipient[];
      }[]
    | undefined;
  readonly emailConfigurations?:
    | readonly {
        readonly from: string;
        readonly content?:
          | { readonly subject?: string | undefined; readonly additionalMessage?: string | undefined }
          | undefined;
        readonly recipients: { readonly to?: readonly Recipient[] | undefined };
      }[]
    | undefined;
};
export type AlarmNotification = { readonly notificationActions?: readonly NotificationAction[] | undefined };
export type AlarmEventActions = { readonly alarmActions?: readonly AlarmAction[] | undefined };
export type AlarmCapabilities = {
  readonly initializationConfiguration?: { readonly disabledOnInitialization: boolean } | undefined;
  readonly acknowledgeFlow?: { readonly enabled: boolean } | undefined;
};

export type InputAttributes = readonly { readonly jsonPath: string }[];
/** Attributes of the account's inputs by input name. */
export type KnownInputs = Readonly<Record<string, InputAttributes>>;
