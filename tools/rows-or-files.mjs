/**
 * What bytes cost as rows of SQLite and as files of a folder, each gigabyte in turn: written durably, read at random, and deleted.
 * `node tools/rows-or-files.mjs [gigabytes] [folder]`; the folder's disk needs twice as much room.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

const CHUNK_BYTES = 400_000;
/** As many as a backup puts into one transaction. */
const CHUNKS_AT_ONCE = 5;
const CHUNKS_PER_GIGABYTE = 1e9 / CHUNK_BYTES;
const READS = 500;
const DELETED_AT_ONCE = 200;

const [gigabytes = "10", parent = tmpdir()] = process.argv.slice(2);
const folder = mkdtempSync(join(parent, "rows-or-files-"));
const files = join(folder, "files");
mkdirSync(files);
const bytes = randomBytes(CHUNK_BYTES);

const db = new DatabaseSync(join(folder, "rows.db"));
// As the kernel opens it.
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000;
  create table chunk (vault text, id text, bytes blob, primary key (vault, id))`);
const insert = db.prepare("insert into chunk values ('v', ?, ?)");
const select = db.prepare("select bytes from chunk where vault = 'v' and id = ?");
const remove = db.prepare("delete from chunk where vault = 'v' and id = ?");
/** Names are as good as random, as those of chunks are. */
const nameOf = (number) => `${(number * 2_654_435_761) % 2 ** 32}-${number}`;

function transact(work) {
  db.exec("BEGIN IMMEDIATE");
  work();
  db.exec("COMMIT");
}
function writeRows(first) {
  for (let at = first; at < first + CHUNKS_PER_GIGABYTE; at += CHUNKS_AT_ONCE)
    transact(() => {
      for (let one = at; one < at + CHUNKS_AT_ONCE; one += 1) insert.run(nameOf(one), bytes);
    });
}
function syncFolder() {
  const handle = openSync(files, "r");
  fsyncSync(handle);
  closeSync(handle);
}
function writeFiles(first) {
  for (let at = first; at < first + CHUNKS_PER_GIGABYTE; at += 1) {
    const path = join(files, nameOf(at));
    const handle = openSync(`${path}.new`, "w");
    writeSync(handle, bytes);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(`${path}.new`, path);
    if (at % CHUNKS_AT_ONCE === 0) syncFolder();
  }
}
function readSome(count, read) {
  for (let turn = 0; turn < READS; turn += 1) read(nameOf(Math.floor(Math.random() * count)));
}
function deleteRows() {
  for (let at = 0; at < CHUNKS_PER_GIGABYTE; at += DELETED_AT_ONCE)
    transact(() => {
      for (let one = at; one < at + DELETED_AT_ONCE; one += 1) remove.run(nameOf(one));
    });
}

/** Seconds, and of these a processor's. */
function took(work) {
  const began = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return `${((performance.now() - began) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)})`;
}

try {
  for (let done = 0; done < Number(gigabytes); done += 1) {
    const first = done * CHUNKS_PER_GIGABYTE;
    const count = first + CHUNKS_PER_GIGABYTE;
    console.log(`gigabyte ${done + 1}`);
    console.log(`  written: rows ${took(() => writeRows(first))}, files ${took(() => writeFiles(first))}`);
    const rows = took(() => readSome(count, (name) => select.get(name)));
    const plain = took(() => readSome(count, (name) => readFileSync(join(files, name))));
    console.log(`  ${READS} read at random: rows ${rows}, files ${plain}`);
  }
  console.log(`the database has ${(statSync(join(folder, "rows.db")).size / 1e6).toFixed(0)} MB`);
  console.log(`a gigabyte of rows deleted: ${took(deleteRows)}`);
} finally {
  db.close();
  rmSync(folder, { recursive: true, force: true });
}
