/** What a story of a detector model is made of. */
import type { DetectorModelDefinition, EvaluationMethod } from "../../../src/services/events/domain/index.ts";

export type Step = { readonly atSecond: number; readonly inputName: string; readonly payload: unknown };
export type ModelStory = {
  readonly name: string;
  readonly inputs: Readonly<Record<string, readonly { readonly jsonPath: string }[]>>;
  readonly key: string;
  readonly evaluationMethod: EvaluationMethod;
  readonly definition: DetectorModelDefinition;
  readonly steps: readonly Step[];
  /** How long to wait after the last message. */
  readonly endSecond: number;
  /** `second key: from → to (event)`. */
  readonly transitions: readonly string[];
  /** `second key: kind target`, and what was sent where the model says so itself. */
  readonly sent: readonly string[];
  /** Names and values of the first key's variables in the end. */
  readonly variables: Readonly<Record<string, string>>;
};

export const set = (variableName: string, value: string) => ({ setVariable: { variableName, value } });
export const json = (contentExpression: string) => ({ contentExpression, type: "JSON" as const });
export const topic = (mqttTopic: string, contentExpression?: string) => ({
  iotTopicPublish: {
    mqttTopic,
    ...(contentExpression !== undefined && { payload: json(contentExpression) }),
  },
});
export const notification = (name: string) => ({
  sns: { targetArn: `arn:aws:sns:eu-west-1:123456789012:${name}` },
});
export const NOTIFICATIONS = "notification arn:aws:sns:eu-west-1:123456789012:";
