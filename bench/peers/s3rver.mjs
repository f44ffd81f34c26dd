/** s3rver with one bucket, in the folder that is given. */
import S3rver from "s3rver";

const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: process.argv[3] }],
});
const { port } = await server.run();
process.stdout.write(`http://127.0.0.1:${port}\n`);
