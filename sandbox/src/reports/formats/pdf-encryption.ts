/** PDFs that open with a password: AES of 256 bits (PDF 1.7, extension level 3: revision 5 of the standard handler). */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/** Printing in high quality, copying, and reading aloud are allowed; all else is not. */
const PERMISSIONS = 0xffff_f0c0 | 0b1010_0001_0100;
const NO_VECTOR = Buffer.alloc(16);

export interface PdfEncryption {
  /** Encrypts a string, or the content of a stream, for the file. */
  encrypted(content: Buffer): Buffer;
  /** Keys and values of the dictionary that describes the encryption in the file. */
  readonly dictionary: string;
}

/** @param password opens the file, of at most 127 bytes */
export function encryptPdf(password: string): PdfEncryption {
  const secret = Buffer.from(password).subarray(0, 127);
  const key = randomBytes(32);
  const user = sealed(secret, key, Buffer.alloc(0));
  const owner = sealed(secret, key, user.check);
  const permissions = Buffer.concat([
    long(PERMISSIONS),
    Buffer.from('ffffffff', 'hex'),
    Buffer.from('Tadb'),
    randomBytes(4),
  ]);
  const block = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  return {
    encrypted(content) {
      const vector = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', key, vector);
      return Buffer.concat([vector, cipher.update(content), cipher.final()]);
    },
    dictionary: [
      '/Filter /Standard /V 5 /R 5 /Length 256 /CF << /StdCF << /AuthEvent /DocOpen /CFM /AESV3 /Length 32 >> >>',
      `/StmF /StdCF /StrF /StdCF /P ${PERMISSIONS} /Perms ${hex(Buffer.concat([block.update(permissions), block.final()]))}`,
      `/U ${hex(user.check)} /UE ${hex(user.key)} /O ${hex(owner.check)} /OE ${hex(owner.key)}`,
    ].join(' '),
  };
}

/** The file's key under a password, and what tells that the password is right. @param of the user's check, for the owner's */
function sealed(secret: Buffer, key: Buffer, of: Buffer): { check: Buffer; key: Buffer } {
  const [checkSalt, keySalt] = [randomBytes(8), randomBytes(8)];
  const cipher = createCipheriv('aes-256-cbc', sha256(secret, keySalt, of), NO_VECTOR).setAutoPadding(false);
  return {
    check: Buffer.concat([sha256(secret, checkSalt, of), checkSalt, keySalt]),
    key: Buffer.concat([cipher.update(key), cipher.final()]),
  };
}

const sha256 = (...parts: Buffer[]): Buffer =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
