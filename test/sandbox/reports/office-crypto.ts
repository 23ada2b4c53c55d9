/**
 * A reader of password-protected Office files, written from Microsoft's documents ([MS-CFB], [MS-OFFCRYPTO] 2.3.4.10
 * to 2.3.4.15): a second opinion on what the sandbox writes with a library.
 */
import { createDecipheriv, createHash, createHmac } from 'node:crypto';

const END_OF_CHAIN = 0xfffffffe;
const DIRECTORY_ENTRY = 128;
const SEGMENT = 4096;
const BLOCK = {
  verifierInput: 'fea7d2763b4b9e79',
  verifierValue: 'd7aa0f6d3061344e',
  key: '146e0be7abacd0d6',
  hmacKey: '5fb2ad010cb9e1f6',
  hmacValue: 'a0677f02b22c8433',
};

/** The streams of a compound file by name. @throws when it is none */
export function streamsOf(file: Buffer): Map<string, Buffer> {
  if (file.readBigUInt64BE(0) !== 0xd0cf11e0a1b11ae1n) throw new Error('no compound file');
  const sectorSize = 1 << file.readUInt16LE(0x1e);
  const miniSize = 1 << file.readUInt16LE(0x20);
  const sector = (index: number) => file.subarray((index + 1) * sectorSize, (index + 2) * sectorSize);
  const numbers = (buffer: Buffer) =>
    Array.from({ length: buffer.length / 4 }, (_none, index) => buffer.readUInt32LE(index * 4));
  const fat = numbers(file.subarray(0x4c, 0x200))
    .slice(0, file.readUInt32LE(0x2c))
    .flatMap((index) => numbers(sector(index)));
  const chain = (start: number, table: number[], part: (index: number) => Buffer): Buffer => {
    const parts: Buffer[] = [];
    for (let index = start; index < END_OF_CHAIN; index = table[index]!) parts.push(part(index));
    return Buffer.concat(parts);
  };
  const directory = chain(file.readUInt32LE(0x30), fat, sector);
  const entries = Array.from({ length: directory.length / DIRECTORY_ENTRY }, (_none, index) => {
    const entry = directory.subarray(index * DIRECTORY_ENTRY, (index + 1) * DIRECTORY_ENTRY);
    const name = entry.subarray(0, Math.max(0, entry.readUInt16LE(64) - 2)).toString('utf16le');
    return { name, type: entry[66], start: entry.readUInt32LE(116), size: Number(entry.readBigUInt64LE(120)) };
  });
  const mini = chain(entries[0]!.start, fat, sector);
  const miniFat = numbers(chain(file.readUInt32LE(0x3c), fat, sector));
  const content = ({ start, size }: { start: number; size: number }) =>
    (size < file.readUInt32LE(0x38)
      ? chain(start, miniFat, (index) => mini.subarray(index * miniSize, (index + 1) * miniSize))
      : chain(start, fat, sector)
    ).subarray(0, size);
  return new Map(entries.filter(({ type }) => type === 2).map((entry) => [entry.name, content(entry)]));
}

/** The file inside. @throws when the password is wrong or the file was changed */
export function decryptOffice(file: Buffer, password: string): Buffer {
  const streams = streamsOf(file);
  const info = streams.get('EncryptionInfo')!;
  const encrypted = streams.get('EncryptedPackage')!;
  if (info.readUInt32LE(0) !== 0x00040004) throw new Error('not agile encryption');
  const xml = info.subarray(8).toString('utf8');
  const element = (name: string) => {
    const attributes = new RegExp(`<(?:\\w+:)?${name}\\s([^>]*)>`).exec(xml)![1]!;
    return (attribute: string) => new RegExp(`(?:^|\\s)${attribute}="([^"]*)"`).exec(attributes)![1]!;
  };
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const [data, key, integrity] = [element('keyData'), element('encryptedKey'), element('dataIntegrity')];
  const hashName = (of: typeof data) => of('hashAlgorithm').toLowerCase();
  const hash = (of: typeof data, ...parts: Buffer[]) =>
    parts.reduce((sum, part) => sum.update(part), createHash(hashName(of))).digest();
  const decrypt = (of: typeof data, secret: Buffer, iv: Buffer, content: Buffer) => {
    const cipher = createDecipheriv(
      `aes-${of('keyBits')}-cbc`,
      secret,
      iv.subarray(0, Number(of('blockSize'))),
    ).setAutoPadding(false);
    return Buffer.concat([cipher.update(content), cipher.final()]);
  };

  const salt = bytes(key('saltValue'));
  let spun = hash(key, salt, Buffer.from(password, 'utf16le'));
  for (let spin = 0; spin < Number(key('spinCount')); spin += 1) spun = hash(key, number32(spin), spun);
  const open = (block: string, attribute: string) =>
    decrypt(
      key,
      hash(key, spun, Buffer.from(block, 'hex')).subarray(0, Number(key('keyBits')) / 8),
      salt,
      bytes(key(attribute)),
    );
  const verifier = hash(
    key,
    open(BLOCK.verifierInput, 'encryptedVerifierHashInput').subarray(0, Number(key('saltSize'))),
  );
  if (!verifier.equals(open(BLOCK.verifierValue, 'encryptedVerifierHashValue').subarray(0, verifier.length)))
    throw new Error('wrong password');

  const secret = open(BLOCK.key, 'encryptedKeyValue').subarray(0, Number(data('keyBits')) / 8);
  const dataSalt = bytes(data('saltValue'));
  const sealed = (block: string, attribute: string) =>
    decrypt(data, secret, hash(data, dataSalt, Buffer.from(block, 'hex')), bytes(integrity(attribute))).subarray(
      0,
      Number(data('hashSize')),
    );
  const seal = createHmac(hashName(data), sealed(BLOCK.hmacKey, 'encryptedHmacKey')).update(encrypted).digest();
  if (!seal.equals(sealed(BLOCK.hmacValue, 'encryptedHmacValue'))) throw new Error('the file was changed');

  const parts: Buffer[] = [];
  for (let at = 8; at < encrypted.length; at += SEGMENT) {
    parts.push(
      decrypt(data, secret, hash(data, dataSalt, number32(parts.length)), encrypted.subarray(at, at + SEGMENT)),
    );
  }
  return Buffer.concat(parts).subarray(0, Number(encrypted.readBigUInt64LE(0)));
}

function number32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}
