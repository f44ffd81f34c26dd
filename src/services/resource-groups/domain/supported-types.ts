/** Resource types that queries can name without an existing resource. */

/**
 * The middle part of type names, such as `EC2` in `Vendor::EC2::Host`: public types and types of this
 * product.
 */
const areas = new Set(
  (
    "ACM ACMPCA AccessAnalyzer AmazonMQ Amplify ApiGateway ApiGatewayV2 ApiManagement AppConfig AppConfiguration " +
    "AppFlow AppMesh AppRegistry AppRunner AppStream AppSync ApplicationInsights Athena AuditManager AutoScaling " +
    "Backup Batch Bedrock Budgets Cassandra Cloud9 CloudFormation CloudFront CloudFunctions CloudTrail CloudWatch " +
    "CodeArtifact CodeBuild CodeCommit CodeDeploy CodeGuruReviewer CodePipeline Cognito Comprehend Config Connect " +
    "CustomerProfiles DAX DMS DataBrew DataExchange DataPipeline DataSync DeviceFarm DirectoryService DocDB " +
    "DynamoDB EC2 ECR ECS EFS EKS EMR EMRContainers EMRServerless ElastiCache ElasticBeanstalk ElasticInference " +
    "ElasticLoadBalancing ElasticLoadBalancingV2 ElasticMapReduce Elasticsearch EventSchemas Events FIS FSx " +
    "Forecast FraudDetector Functions GameLift GlobalAccelerator Glue Greengrass GreengrassV2 GroundStation " +
    "GuardDuty HardwareSecurityModules HealthLake IAM IVS ImageBuilder Inspector InspectorV2 IoT IoT1Click " +
    "IoTAnalytics IoTEvents IoTFleetHub IoTFleetWise IoTSiteWise IoTTwinMaker IoTWireless KMS Kafka Kendra " +
    "Kinesis KinesisAnalytics KinesisAnalyticsV2 KinesisFirehose KinesisVideo LakeFormation Lambda Lex " +
    "LicenseManager Location Logs LookoutEquipment LookoutMetrics LookoutVision MSK Macie MediaConvert " +
    "MediaLive MediaPackage MediaStore MediaTailor MemoryDB Neptune NetworkFirewall NetworkManager OpenSearch " +
    "OpenSearchService OpsWorks Organizations Outposts Panorama Personalize Pinpoint PinpointSMSVoice Pipes " +
    "QLDB QuickSight RAM RDS Redshift RedshiftServerless Rekognition ResilienceHub ResourceExplorer2 " +
    "ResourceGroups Resources RoboMaker Route53 Route53Resolver RUM S3 S3ObjectLambda S3Outposts SES SNS SQS SSM " +
    "SSMIncidents SageMaker Scheduler SecretsManager SecurityHub ServiceCatalog ServiceDiscovery Shield Signer " +
    "Sql SqlVirtualMachine StepFunctions Storage StorageGateway Synthetics Timestream Transfer VpcLattice WAF " +
    "WAFRegional WAFv2 Wisdom WorkSpaces WorkSpacesWeb XRay"
  ).split(" "),
);

export const isKnownArea = (type: string): boolean => areas.has(type.split("::")[1] ?? "");
