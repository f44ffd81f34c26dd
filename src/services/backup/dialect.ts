/** The maker's spelling: names of resources begin with `arn:aws:`. */
import { defineMakersSpelling } from "#kernel/arn";

/** Conditions name tags by `vendor:ResourceTag/stage`. */
const tagKey = {
  neutral: (text: string) => text.replace(/^aws:(?=ResourceTag\/)/, "vendor:"),
  makers: (text: string) => text.replace(/^vendor:(?=ResourceTag\/)/, "aws:"),
};

export const makersSpelling = defineMakersSpelling({
  name: "makers",
  names: [
    "Arn",
    "BackupPlanArn",
    "BackupVaultArn",
    "ComplianceResourceIds",
    "CreatedResourceArn",
    "DestinationBackupVaultArn",
    "DestinationRecoveryPointArn",
    "EncryptionKeyArn",
    "ExcludeVaults",
    "FrameworkArn",
    "FrameworkArns",
    "IamRoleArn",
    "IncludeVaults",
    "LastBackupVaultArn",
    "LastRecoveryPointArn",
    "LegalHoldArn",
    "NotResources",
    "ParentRecoveryPointArn",
    "ProtectedResourceArns",
    "RecoveryPointArn",
    "ReportPlanArn",
    "ResourceArn",
    "ResourceIdentifiers",
    "Resources",
    "RestoreTestingPlanArn",
    "SNSTopicArn",
    "SourceBackupVaultArn",
    "SourceRecoveryPointArn",
    "destinationVaultArn",
    "parentRecoveryPointArn",
    "resourceArn",
    "restoreTestingPlanArn",
  ],
  sentences: ["BackupPlanTemplateJson", "ParameterValue", "Message", "StatusMessage", "Policy", "Context"],
  documents: { ConditionKey: tagKey, Key: tagKey },
  verbatim: [
    "BackupPlanTags",
    "BackupVaultTags",
    "FrameworkTags",
    "RecoveryPointTags",
    "ReportPlanTags",
    "Tags",
    "TagKeyList",
  ],
});
