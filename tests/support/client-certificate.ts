/** A client certificate for tests: self-signed "scheduler client", valid until 2120, its password is "open". */
import { X509Certificate } from "node:crypto";

export const clientCertificatePem = `-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgICTQEwCgYIKoZIzj0EAwIwLTEQMA4GA1UEChMHRXhhbXBs
ZTEZMBcGA1UEAxMQc2NoZWR1bGVyIGNsaWVudDAgFw0yMDAxMDEwMDAwMDBaGA8y
MTIwMDEwMTAwMDAwMFowLTEQMA4GA1UEChMHRXhhbXBsZTEZMBcGA1UEAxMQc2No
ZWR1bGVyIGNsaWVudDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM1Rq8iwU81l
s7CxEAuPIH1IfGvgklzNKHKYile3gau4nYwOwOrLEwaevAIS/B7Do0SdBvIx7fLu
KcLmhkOQmSyjKzApMBIGA1UdEwEB/wQIMAYBAf8CAQAwEwYDVR0lBAwwCgYIKwYB
BQUHAwIwCgYIKoZIzj0EAwIDRwAwRAIgMLY7nwLwSzXXPA/jBr+3OWYLWnWC3JNb
9XxI7dcANyQCICv13OOfxm9B9LKWslyzuxjX9AgdtEZPAx5OUlPPdcrH
-----END CERTIFICATE-----
`;
export const clientCertificatePassword = "open";
/** Certificate and key as one PFX file, in Base64. */
export const clientCertificatePfx =
  "MIIEDAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcNAQcB" +
  "MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjNLuVUivG3XQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEMpS" +
  "iesOvWIvAh7EKZv5G/+AggHgp3SalVtY7qJsVu73f8LblrJze4r/UmV7//d+PSj7Y2yCrnJp2Rk2cfPJXYSbHFywXKGiP2OrVHSo" +
  "6/wXOEb875A3DTupLwDuUn1AHQdub3yhhvfVZuCb70tDNamU3C9A8p5f5+Z30lC7eqrbzeiU8A5zBQ+LZ9KN8j7oXU0Mq128jmtg" +
  "6PCBgd6w9mA6LsB5T3aY2swjDZzh5cP/Mth74oVcCpQAKQJlg9PheAz+BfHaStgwVOB9xHvI/QpyqsUX4MEvOC6/gklJWyS3CiSF" +
  "iQ7uRco6D8qqUFvGeRSh2lNTh42Q4zpjBJ4Qi6Hw4fvbsyxYIf3x5H6o8kjtddQ+f9fr06J7/NFWFuGKWtvCTcYUZFLXZp0B6Bry" +
  "ITsTp4TXW2zdJuFg5La0JRdxJjm/1KD5vQufctP2eX2csx4xxhdxI4NzWqmVIlXQjwRgDB8jCSfob6r945FfpIEwuP7CM35FlGrQ" +
  "lroiu3vn68rhP4ev/g/O9I/M0z4QpZT+DGxx7yO7uA2RqidQmtS5GLtlsPwt7OT0lYyQq4BA4DE8yCAJLWFkn3jrfKiNKYA3MmU9" +
  "fCg9NuI9PojbH48Er8BiRLyI3p+hFFopH6AnJGblhPK7aasMdqNKkkfd9pG2Kz3cMIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEq" +
  "MIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECIxR63freNWKAgIIADAMBggqhkiG" +
  "9w0CCQUAMB0GCWCGSAFlAwQBKgQQdoxehoTXePNZi7gOeTX0HASBkCINhgFjjXyaggQkBef8YVye/sRHs4qUUA2kw5xSCIxpnlR2" +
  "VYpHrlCGLQVFYytjffUDmtZ7V4So+FULXv1QeJK1on6Xq0hH8lGfW6Wg/fbDnhrWPRMyhHsFxNz2LnIOKQM6b0q85edCEo6WF+Ut" +
  "SEzcO32kXfJFACbqWdZADzPW1DeKhvxTBS34vId11w9h9DElMCMGCSqGSIb3DQEJFTEWBBQ9ijv4w51ALDuzivunQ+4Sqf6IbjBB" +
  "MDEwDQYJYIZIAWUDBAIBBQAEIEFG0609qZOtTXWjQUwwbgaTD4oKNW+dONgnRqT4ZNbIBAg+AWshDQFxzwICCAA=";
/** SHA-1 in upper-case hexadecimal digits. */
export const clientCertificateThumbprint = new X509Certificate(clientCertificatePem).fingerprint.replaceAll(
  ":",
  "",
);
