/**
 * Makers of what a hostile service or a hostile hand sends: values of a schema with something wrong in them, bytes,
 * texts. One seed makes one value.
 */

export type Random = () => number;

/** Secrets that a hostile service echoes; no error may contain one. */
export const SECRETS = {
  session: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmdXp6In0.c2lnbmF0dXJlLW9mLXRoZS1mdXp6',
  otp: '482913',
  mpin: '973164',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
};

export const below = (random: Random, count: number): number => Math.floor(random() * count);
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

const SCRAPS = [
  ...[
    '',
    ' ',
    '\u0000',
    '\n',
    '\r\n',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud800',
    '"',
    "'",
    '\\',
    '/',
    '..',
    ',',
    ';',
    '%',
    '%0A',
    '%00',
  ],
  ...[
    '{{ $json.x }}',
    '=1+1',
    '${x}',
    '<script>',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    '१२३',
    '₹',
  ],
  ...[
    '9007199254740993',
    '-1',
    '99999999999999999999999',
    '1.005',
    '2026-02-30',
    '0000-00-00',
    'CON',
    'nul.txt',
    '\u{1F600}',
  ],
  `Bearer ${SECRETS.session}`,
  `{"otp":"${SECRETS.otp}"}`,
  `mpin=${SECRETS.mpin}`,
  `totp_secret: ${SECRETS.totp}`,
];

const inHex = (letter: string) => letter.charCodeAt(0).toString(16);

/** Forms in which a hostile service gives a secret back: unaltered, in other letters, or encoded. */
export function echoes(secret: string): string[] {
  const forms = (['base64', 'base64url', 'hex'] as const).flatMap((form) =>
    ['', '{"x":"', 'mpin='].map((before) => Buffer.from(`${before}${secret}`).toString(form)),
  );
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    JSON.stringify(JSON.stringify({ x: secret })),
    [...secret].map((letter) => `%${inHex(letter)}`).join(''),
    [...secret].map((letter) => `\\u00${inHex(letter)}`).join(''),
    ...forms,
  ];
}

/** A text of what makes parsers stumble, and of echoes. */
export function hostileText(random: Random): string {
  const parts = Array.from({ length: below(random, 6) }, () =>
    random() < 0.1 ? oneOf(random, echoes(oneOf(random, Object.values(SECRETS)))) : oneOf(random, SCRAPS),
  );
  if (random() < 0.02) parts.push(oneOf(random, SCRAPS).repeat(below(random, 5_000)));
  return parts.join('');
}

/** A value of any type that is not what is expected. */
export function hostileValue(random: Random): unknown {
  const deep = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => (random() < 0.5 ? [inner] : { a: inner }), 1);
  switch (below(random, 10)) {
    case 0:
      return null;
    case 1:
      return oneOf(random, [0, -0, -1, 0.1, 1e21, -1e300, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e-9]);
    case 2:
      return random() < 0.5;
    case 3:
      return [];
    case 4:
      return {};
    case 5:
      return deep(below(random, 300));
    case 6:
      return Array.from({ length: below(random, 50) }, () => hostileText(random));
    case 7:
      return { ['__proto__']: { polluted: true }, constructor: { prototype: { polluted: true } } };
    default:
      return hostileText(random);
  }
}

/** The part of JSON Schema that the description uses. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

/** A value of a schema; each part of it may be missing, or hostile. */
export function grown(schema: Schema, random: Random, wrong: number): unknown {
  if (random() < wrong) return hostileValue(random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return oneOf(random, schema.enum);
  if (schema.anyOf !== undefined) return grown(oneOf(random, schema.anyOf), random, wrong);
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => grown(part, random, wrong)));
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {})
        .filter(() => random() >= wrong)
        .map(([name, member]) => [name, grown(member, random, wrong)]);
      const others = schema.patternProperties ?? {};
      const other =
        typeof schema.additionalProperties === 'object' ? schema.additionalProperties : Object.values(others)[0];
      if (other !== undefined)
        for (let count = below(random, 3); count > 0; count--)
          members.push([random() < 0.7 ? 'INFY' : hostileText(random), grown(other, random, wrong)]);
      return Object.fromEntries(members);
    }
    case 'array':
      return Array.from({ length: below(random, 4) }, () => grown(schema.items ?? {}, random, wrong));
    case 'integer':
      return oneOf(random, [0, 1, 7, 150_005, 20261127, 1_763_712_345_678]);
    case 'number':
      return oneOf(random, [0, 1.5, -3.25, 150_005]);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      return oneOf(random, ['INFY', 'NSE', 'CE', 'OPT', 'ORDER_STATUS_OPEN', 'ORDER_SIDE_BUY', '2026-11-27', '']);
  }
}

/** Bytes with some of them changed, doubled, left out or cut off. */
export function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const list = [...bytes];
  for (let count = below(random, 5); count > 0 && list.length > 0; count--) {
    const at = below(random, list.length);
    const how = below(random, 5);
    if (how === 0) list[at] = below(random, 256);
    else if (how === 1) list.splice(at, below(random, 8));
    else if (how === 2) list.splice(at, 0, below(random, 256));
    else if (how === 3) list.splice(at, 0, ...list.slice(at, at + below(random, 64)));
    else list.length = at;
  }
  return Uint8Array.from(list);
}

/** A reply as bytes; its long integers stand bare, as the service sends them. */
export function replyBytes(value: unknown, random: Random): Uint8Array {
  const text = JSON.stringify(value) ?? '';
  const bare = text.replaceAll('1763712345678', '1763712345678901234');
  const bytes = Buffer.from(bare);
  const roll = random();
  if (roll < 0.15) return mutated(bytes, random);
  if (roll < 0.2) return Buffer.from(hostileText(random));
  if (roll < 0.22) return Buffer.concat([bytes, Buffer.from(hostileText(random))]);
  if (roll < 0.23) return Buffer.from(oneOf(random, ['[', '{"a":', '"', '[1,']).repeat(below(random, 300_000)));
  return bytes;
}
