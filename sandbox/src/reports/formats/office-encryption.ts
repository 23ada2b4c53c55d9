/**
 * Office files that open with a password: agile encryption ([MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15) in a compound file ([MS-CFB]).
 */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { EventLoopTurns } from '../../shared/cooperative';

/** Rounds of key derivation: enough for a simulation's paper, and a report stays quick. */
const SPIN_COUNT = 1_000;
const SEGMENT = 4_096;
const BLOCK = {
  verifierInput: 'fea7d2763b4b9e79',
  verifierValue: 'd7aa0f6d3061344e',
  key: '146e0be7abacd0d6',
  hmacKey: '5fb2ad010cb9e1f6',
  hmacValue: 'a0677f02b22c8433',
};

/** Encrypts an Office file with a password. @returns a compound file */
export async function encryptOffice(file: Buffer, password: string, turns: EventLoopTurns): Promise<Buffer> {
  const [keySalt, dataSalt, secret, hmacKey] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(64)];
  const chain = passwordHash(password, keySalt);
  const ofPassword = (block: string, content: Buffer): string =>
    encrypted(sha512(chain, Buffer.from(block, 'hex')).subarray(0, 32), keySalt, content).toString('base64');
  const ofData = (block: string, content: Buffer): string =>
    encrypted(secret, sha512(dataSalt, Buffer.from(block, 'hex')), content).toString('base64');
  const verifier = randomBytes(16);
  const packed = await encryptedPackage(file, secret, dataSalt, turns);
  const cipher = 'cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"';
  const sizes = 'saltSize="16" blockSize="16" keyBits="256" hashSize="64"';
  const office = 'http://schemas.microsoft.com/office/2006';
  const xml = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    `<encryption xmlns="${office}/encryption" xmlns:p="${office}/keyEncryptor/password">`,
    `<keyData ${sizes} ${cipher} saltValue="${dataSalt.toString('base64')}"/>`,
    `<dataIntegrity encryptedHmacKey="${ofData(BLOCK.hmacKey, hmacKey)}"`,
    ` encryptedHmacValue="${ofData(BLOCK.hmacValue, createHmac('sha512', hmacKey).update(packed).digest())}"/>`,
    `<keyEncryptors><keyEncryptor uri="${office}/keyEncryptor/password">`,
    `<p:encryptedKey spinCount="${SPIN_COUNT}" ${sizes} ${cipher} saltValue="${keySalt.toString('base64')}"`,
    ` encryptedVerifierHashInput="${ofPassword(BLOCK.verifierInput, verifier)}"`,
    ` encryptedVerifierHashValue="${ofPassword(BLOCK.verifierValue, sha512(verifier))}"`,
    ` encryptedKeyValue="${ofPassword(BLOCK.key, secret)}"/>`,
    '</keyEncryptor></keyEncryptors></encryption>',
  ].join('');
  const version = Buffer.from('0400040040000000', 'hex');
  // Streams of less than 4,096 bytes would go to another place of the compound file.
  const info = Buffer.concat([version, Buffer.from(xml.padEnd(SEGMENT))]);
  return compoundFile([
    ['EncryptionInfo', info],
    ['EncryptedPackage', packed],
  ]);
}

const sha512 = (...parts: Buffer[]): Buffer =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha512')).digest();

function passwordHash(password: string, salt: Buffer): Buffer {
  let hash = sha512(salt, Buffer.from(password, 'utf16le'));
  for (let spin = 0; spin < SPIN_COUNT; spin++) hash = sha512(long(spin), hash);
  return hash;
}

function encrypted(key: Buffer, iv: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(content), cipher.final()]);
}

/** Returns the length of a file, and the file in encrypted segments. */
async function encryptedPackage(file: Buffer, secret: Buffer, salt: Buffer, turns: EventLoopTurns): Promise<Buffer> {
  const count = Math.ceil(file.length / SEGMENT);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(file.length));
  const parts: Buffer[] = [length];
  for (let at = 0; at < count; at++) {
    const segment = Buffer.alloc(SEGMENT);
    file.copy(segment, 0, at * SEGMENT);
    parts.push(encrypted(secret, sha512(salt, long(at)), segment));
    await turns.next();
  }
  return Buffer.concat(parts);
}

const SECTOR = 512;
const PER_SECTOR = SECTOR / 4;
/** Sectors of the table that the header can name. */
const IN_HEADER = 109;
const [TABLE_OF_TABLE, OF_TABLE, END_OF_CHAIN, FREE] = [0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff];

/** A compound file of streams, each of 4,096 bytes or more, in the order of the length of their names. */
function compoundFile(streams: readonly [name: string, content: Buffer][]): Buffer {
  const sectorsOf = (length: number): number => Math.ceil(length / SECTOR);
  // The directory comes first, then the streams, then the table of sectors and what names its sectors.
  let next = 1;
  const starts = streams.map(([, { length }]) => {
    next += sectorsOf(length);
    return next - sectorsOf(length);
  });
  let [tables, more] = [0, 0];
  while ((next + tables + more) / PER_SECTOR > tables) {
    tables = Math.ceil((next + tables + more) / PER_SECTOR);
    more = Math.ceil(Math.max(0, tables - IN_HEADER) / (PER_SECTOR - 1));
  }
  const table = new Uint32Array(tables * PER_SECTOR).fill(FREE);
  table[0] = END_OF_CHAIN;
  streams.forEach(([, { length }], at) => {
    const [from, to] = [starts[at]!, starts[at]! + sectorsOf(length)];
    for (let sector = from; sector < to; sector++) table[sector] = sector + 1 < to ? sector + 1 : END_OF_CHAIN;
  });
  table.fill(OF_TABLE, next, next + tables);
  table.fill(TABLE_OF_TABLE, next + tables, next + tables + more);
  const places = Array.from({ length: tables }, (_, at) => next + at);

  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 0x4c);
  header.write('d0cf11e0a1b11ae1', 0, 'hex');
  header.writeUInt16LE(0x3e, 0x18);
  header.writeUInt16LE(3, 0x1a);
  header.writeUInt16LE(0xfffe, 0x1c);
  header.writeUInt16LE(9, 0x1e);
  header.writeUInt16LE(6, 0x20);
  header.writeUInt32LE(tables, 0x2c);
  header.writeUInt32LE(0, 0x30);
  header.writeUInt32LE(SEGMENT, 0x38);
  header.writeUInt32LE(END_OF_CHAIN, 0x3c);
  header.writeUInt32LE(more === 0 ? END_OF_CHAIN : next + tables, 0x44);
  header.writeUInt32LE(more, 0x48);
  places.slice(0, IN_HEADER).forEach((place, at) => header.writeUInt32LE(place, 0x4c + 4 * at));
  const further = Array.from({ length: more }, (_, at) => {
    const from = IN_HEADER + at * (PER_SECTOR - 1);
    const named = places.slice(from, from + PER_SECTOR - 1);
    const free = Array.from({ length: PER_SECTOR - 1 - named.length }, () => FREE);
    return [...named, ...free, at + 1 < more ? next + tables + at + 1 : END_OF_CHAIN];
  }).flat();
  const bodies = streams.map(([, content]) =>
    Buffer.concat([content, Buffer.alloc(sectorsOf(content.length) * SECTOR - content.length)]),
  );
  return Buffer.concat([header, directory(streams, starts), ...bodies, numbers([...table, ...further])]);
}

/** The directory: the root, whose child is the first stream, each with the next to its right. */
function directory(streams: readonly [name: string, content: Buffer][], starts: readonly number[]): Buffer {
  const entry = (name: string, type: number, links: [right: number, child: number], start: number, length: number) => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(name === '' ? 0 : 2 * name.length + 2, 0x40);
    bytes[0x42] = type;
    bytes[0x43] = 1;
    [FREE, ...links].forEach((link, at) => bytes.writeUInt32LE(link, 0x44 + 4 * at));
    bytes.writeUInt32LE(start, 0x74);
    bytes.writeUInt32LE(length, 0x78);
    return bytes;
  };
  const entries = [
    entry('Root Entry', 5, [FREE, 1], END_OF_CHAIN, 0),
    ...streams.map(([name, { length }], at) =>
      entry(name, 2, [at + 1 < streams.length ? at + 2 : FREE, FREE], starts[at]!, length),
    ),
  ];
  while (entries.length < SECTOR / 128) entries.push(entry('', 0, [FREE, FREE], 0, 0));
  return Buffer.concat(entries);
}

const long = (value: number): Buffer => numbers([value]);

/** Numbers of four bytes. */
function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at));
  return bytes;
}
