/** Schemas of actions in the public API. */
import { Type } from "@sinclair/typebox";

const text = (description: string, options: object = { maxLength: 1024 }) =>
  Type.String({ ...options, description });
const expression = (description: string) => text(description, { minLength: 1, maxLength: 1024 });
const optional = (description: string) => Type.Optional(text(description));
const arn = (description: string) => text(description, { minLength: 1, maxLength: 2048 });
export const named = (description: string) => text(description, { minLength: 1, maxLength: 128 });

const payload = Type.Optional(
  Type.Object(
    {
      contentExpression: expression("The text that is sent, with parts that are evaluated."),
      type: Type.Union([Type.Literal("STRING"), Type.Literal("JSON")], {
        description: "Whether the text is JSON.",
      }),
    },
    { description: "What is sent; a standard account of what happened without it." },
  ),
);

const AssetPropertyValue = Type.Object(
  {
    value: Type.Optional(
      Type.Object(
        {
          stringValue: optional("The value as text."),
          integerValue: optional("The value as a whole number."),
          doubleValue: optional("The value as a decimal number."),
          booleanValue: optional("The value as true or false."),
        },
        { description: "The value, as one of four types." },
      ),
    ),
    timestamp: Type.Optional(
      Type.Object(
        {
          timeInSeconds: text("Seconds since 1970."),
          offsetInNanos: optional("Nanoseconds beyond them."),
        },
        { description: "When it was measured; now without it." },
      ),
    ),
    quality: optional("GOOD, BAD or UNCERTAIN."),
  },
  { description: "What the property is set to." },
);

const tableAction = Type.Object(
  {
    hashKeyType: optional("STRING or NUMBER."),
    hashKeyField: text("The name of the hash key."),
    hashKeyValue: text("The value of the hash key."),
    rangeKeyType: optional("STRING or NUMBER."),
    rangeKeyField: optional("The name of the range key."),
    rangeKeyValue: optional("The value of the range key."),
    operation: optional("INSERT, UPDATE or DELETE."),
    payloadField: optional("The column that takes the payload."),
    tableName: text("The table's name."),
    payload,
  },
  { description: "Writes a row of a table, the payload in one column." },
);
const assetPropertyAction = Type.Object(
  {
    entryId: optional("A name for this entry."),
    assetId: optional("The asset."),
    propertyId: optional("The property of the asset."),
    propertyAlias: optional("The alias of the property, in place of asset and property."),
    propertyValue: Type.Optional(AssetPropertyValue),
  },
  { description: "Sets a property of an asset." },
);

/** Actions that alarms support too. */
export const outgoingActions = {
  sns: Type.Optional(
    Type.Object(
      { targetArn: arn("The topic's ARN."), payload },
      { description: "Publishes to a topic of notifications." },
    ),
  ),
  iotTopicPublish: Type.Optional(
    Type.Object({ mqttTopic: named("The topic."), payload }, { description: "Publishes to an MQTT topic." }),
  ),
  lambda: Type.Optional(
    Type.Object({ functionArn: arn("The function's ARN."), payload }, { description: "Calls a function." }),
  ),
  iotEvents: Type.Optional(
    Type.Object({ inputName: named("The input."), payload }, { description: "Sends a message to an input." }),
  ),
  sqs: Type.Optional(
    Type.Object(
      {
        queueUrl: text("The queue's address."),
        useBase64: Type.Optional(Type.Boolean({ description: "Whether the payload is sent in base64." })),
        payload,
      },
      { description: "Sends a message to a queue." },
    ),
  ),
  firehose: Type.Optional(
    Type.Object(
      {
        deliveryStreamName: text("The stream's name."),
        separator: Type.Optional(
          Type.Union(
            ["\n", "\t", "\r\n", ","].map((one) => Type.Literal(one)),
            { description: "What stands between records." },
          ),
        ),
        payload,
      },
      { description: "Sends a record to a delivery stream." },
    ),
  ),
  dynamoDB: Type.Optional(tableAction),
  dynamoDBv2: Type.Optional(
    Type.Object(
      { tableName: text("The table's name."), payload },
      { description: "Writes a row of a table, each member of the payload in a column of its own." },
    ),
  ),
  iotSiteWise: Type.Optional(assetPropertyAction),
};

export const Action = Type.Object({
  setVariable: Type.Optional(
    Type.Object(
      {
        variableName: text("The variable's name.", {
          pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
          minLength: 1,
          maxLength: 128,
        }),
        value: expression("Its new value."),
      },
      { description: "Sets a variable." },
    ),
  ),
  setTimer: Type.Optional(
    Type.Object(
      {
        timerName: named("The timer's name."),
        seconds: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 31_622_400, description: "After how many seconds it ends." }),
        ),
        durationExpression: Type.Optional(expression("The same as an expression.")),
      },
      { description: "Starts a timer." },
    ),
  ),
  clearTimer: Type.Optional(
    Type.Object({ timerName: named("The timer's name.") }, { description: "Takes a timer away." }),
  ),
  resetTimer: Type.Optional(
    Type.Object(
      { timerName: named("The timer's name.") },
      { description: "Starts a timer from its beginning." },
    ),
  ),
  ...outgoingActions,
});
