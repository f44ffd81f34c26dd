/** What is inside of an archive, by names; one that is damaged is refused. */
import { crc32 } from "node:zlib";
import yauzl from "yauzl";

export function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>();
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, archive) => {
      if (error) return reject(error);
      archive.on("error", reject);
      archive.on("end", () => resolve(files));
      archive.on("entry", (entry: yauzl.Entry) =>
        archive.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          const parts: Buffer[] = [];
          for await (const part of stream) parts.push(part as Buffer);
          const content = Buffer.concat(parts);
          if (crc32(content) !== entry.crc32 || files.has(entry.fileName))
            return reject(new Error(`${entry.fileName} is damaged, or there twice`));
          files.set(entry.fileName, content);
          archive.readEntry();
        }),
      );
      archive.readEntry();
    });
  });
}
