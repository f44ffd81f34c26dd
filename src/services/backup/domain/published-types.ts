/**
 * Resource types of the public service. Plans of audits and tests may name them even if this product has no
 * such resource.
 */
export const PUBLISHED_TYPES: ReadonlySet<string> = new Set([
  "Aurora",
  "CloudFormation",
  "DSQL",
  "DocumentDB",
  "DynamoDB",
  "EBS",
  "EC2",
  "EFS",
  "EKS",
  "FSx",
  "Neptune",
  "RDS",
  "Redshift",
  "Redshift Serverless",
  "S3",
  "SAP HANA on Amazon EC2",
  "Storage Gateway",
  "Timestream",
  "VirtualMachine",
]);
