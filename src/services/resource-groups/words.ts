/** Descriptions of members that many schemas share. */
import type { SharedWords } from "#kernel/operation";

export const sharedWords: SharedWords = {
  Group: { description: "The group." },
  Groups: { description: "The groups of this page." },
  Description: { description: "What the group is for.", example: "Everything that customers see." },
  GroupConfiguration: { description: "What services are told of the group." },
  FailureReason: { description: "Why the last change failed.", example: "The type is not known." },
  GroupIdentifiers: { description: "The groups of this page, by their names." },
  GroupName: { description: "The group's name.", example: "production" },
  GroupArn: {
    description: "The ARN of the group.",
    example: "arn:vendor:resource-groups:us-east-1:123456789012:group/production",
  },
  Arn: {
    description: "The ARN of the group.",
    example: "arn:vendor:resource-groups:us-east-1:123456789012:group/production",
  },
  GroupQuery: { description: "The group's query." },
  ResourceIdentifiers: { description: "The resources of this page." },
  Resources: { description: "The resources of this page, and how they came to be members." },
  ResourceArn: {
    description: "The ARN of the resource.",
    example: "arn:vendor:storage:us-east-1:123456789012:bucket/photos",
  },
  ErrorCode: { description: "What kind of problem it is.", example: "ResourceTypeNotSupported" },
  Message: { description: "What is wrong.", example: "The type is not known." },
  ErrorMessage: { description: "What is wrong.", example: "The type is not known." },
  Identifier: { description: "The resource." },
  Status: { description: "How far its joining has come; absent for members." },
  Name: { description: "PENDING while it is joining." },
  Succeeded: {
    description: "The ARNs of those for which it is done.",
    example: ["arn:vendor:storage:us-east-1:123456789012:bucket/photos"],
  },
  Failed: { description: "Those for which it was refused, and why." },
  Pending: { description: "Those for which it goes on." },
  AccountSettings: { description: "What holds for all groups of the account." },
  GroupLifecycleEventsStatusMessage: {
    description: "Why events are not sent.",
    example: "Events are being switched on.",
  },
};
