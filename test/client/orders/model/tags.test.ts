import fc from 'fast-check';
import {
  causeMarkOf,
  identityOf,
  tagFrom,
  termsMarkOf,
  tradingScope,
  userTagOf,
  type TagSource,
} from '../../../../client/orders/model/tags';

describe('tags', () => {
  const source: TagSource = { kind: 'execution', executionId: '42', nodeId: 'n', runIndex: 0, itemIndex: 3 };

  it('are the same in every version: what an older one placed today must be found', () => {
    expect(tagFrom('', source, 'sandbox/me')).toBe('j7mib5b4yve6');
    expect(tagFrom('a', { kind: 'key', key: ' alert 1 ' }, 'sandbox/me')).toBe('a-36gyqgmyriop');
  });

  it('end with four letters for the terms of a key, whatever the order of the fields', () => {
    const of = (terms: object): string => tagFrom('a', { kind: 'key', key: 'alert 1', terms }, 'sandbox/me');
    const tag = of({ side: 'BUY', quantity: 1, price: undefined });
    expect(tag).toMatch(/^a-36gyqgmyriop[a-z2-7]{4}$/);
    expect(of({ quantity: 1, side: 'BUY' })).toBe(tag);
    const other = of({ quantity: 2, side: 'BUY' });
    expect(termsMarkOf(other)).not.toBe(termsMarkOf(tag));
    expect([identityOf(other), userTagOf(other)]).toEqual([identityOf(tag), 'a']);
    expect(termsMarkOf('a-36gyqgmyriop')).toBeUndefined();
  });

  it('end with six letters for a called workflow, the same in each execution that one caller started', () => {
    const of = (executionId: string, more: object = {}): string =>
      tagFrom('a', { ...source, executionId, caller: 'caller', ...more }, 's');
    const [one, two] = [of('1'), of('2')];
    expect(one).toMatch(/^a-[a-z2-7]{12}[a-z2-7]{6}$/);
    expect(identityOf(one)).toBe(identityOf(tagFrom('', { ...source, executionId: '1' }, 's')));
    expect(identityOf(one)).not.toBe(identityOf(two));
    expect(causeMarkOf(one)).toBe(causeMarkOf(two));
    const others = [{ caller: 'b' }, { nodeId: 'b' }, { runIndex: 9 }, { itemIndex: 9 }, { part: 'b' }];
    expect(new Set([one, ...others.map((other) => of('1', other))].map(causeMarkOf)).size).toBe(6);
    expect([userTagOf(one), termsMarkOf(one), causeMarkOf(tagFrom('a', source, 's'))]).toEqual([
      'a',
      undefined,
      undefined,
    ]);
  });

  it('differ between executions of one number by the time at which these began', () => {
    const of = (establishedAt: number): string => tagFrom('', { ...source, establishedAt }, 'sandbox/me');
    expect(of(1)).toBe(of(1));
    expect(new Set([of(1), of(2), tagFrom('', source, 'sandbox/me')]).size).toBe(3);
  });

  it('differ for several orders of one item, and are the same for each when it is tried again', () => {
    for (const item of [source, { kind: 'key', key: '42' } as const]) {
      const parts = [undefined, 'entry', 'stop', '1', '2'].map((part) => tagFrom('', { ...item, part }, 's'));
      expect(new Set(parts).size).toBe(5);
      expect(tagFrom('other', { ...item, part: 'stop' }, 's')).toBe(`other-${parts[2]}`);
      expect(parts[0]).toBe(tagFrom('', item, 's'));
    }
  });

  it('are the same for the same request and differ for any other', () => {
    const tag = tagFrom('breakout', source, 'sandbox/me');
    expect(tag).toMatch(/^breakout-[a-z2-7]{12}$/);
    expect(tagFrom(' breakout ', { ...source }, 'sandbox/me')).toBe(tag);
    const others = [
      tagFrom('breakout', { ...source, executionId: '43' }, 'sandbox/me'),
      tagFrom('breakout', { ...source, nodeId: 'm' }, 'sandbox/me'),
      tagFrom('breakout', { ...source, runIndex: 1 }, 'sandbox/me'),
      tagFrom('breakout', { ...source, itemIndex: 4 }, 'sandbox/me'),
      tagFrom('breakout', source, 'live/me'),
      tagFrom('breakout', { kind: 'key', key: '42' }, 'sandbox/me'),
    ];
    expect(new Set([tag, ...others]).size).toBe(7);
    expect(userTagOf(tag)).toBe('breakout');
    expect(userTagOf(tagFrom('', source, 's'))).toBe('');
  });

  it('stay in the alphabet whatever the key is', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme-ascii' }).filter((key) => key.trim() !== ''),
        (key) => {
          expect(tagFrom('a-1', { kind: 'key', key }, 's')).toMatch(/^[A-Za-z0-9-]{1,33}$/);
        },
      ),
    );
  });

  it('are all different for a hundred thousand of a day', () => {
    const tags = new Set(
      Array.from({ length: 100_000 }, (_, key) => tagFrom('', { kind: 'key', key: `alert ${key}` }, 's')),
    );
    expect(tags.size).toBe(100_000);
  });

  it.each(['a b', 'köln', 'a_b', 'x'.repeat(21)])('refuses %j, with an example that is right', (tag) => {
    expect(() => tagFrom(tag, source, 's')).toThrow(expect.objectContaining({ parameter: 'tag' }));
  });
});

describe('the scope of tags and of the limits of a day', () => {
  const credential = {
    environment: 'sandbox',
    sandboxBaseUrl: 'https://one.broker.example',
    loginMethod: 'totp',
    phone: '9000000001',
    deviceId: 'n8n',
  };
  const scope = (changes: object): string => tradingScope({ ...credential, ...changes });

  it.each([
    ['address', { sandboxBaseUrl: 'https://two.broker.example' }],
    ['phone', { phone: '9000000002' }],
    ['environment', { environment: 'uat', uatBaseUrl: 'https://one.broker.example' }],
  ])('is another with another %s', (_, changes) => {
    expect(scope(changes)).not.toBe(scope({}));
  });

  it('is the same for one account, however it is written and logged in to', () => {
    expect(scope({ phone: '+91 90000 00001' })).toBe(scope({}));
    expect(scope({ loginMethod: 'otp' })).toBe(scope({}));
    expect(scope({ deviceId: 'other' })).toBe(scope({}));
  });

  it('is that of the device with a pasted token, which names no account', () => {
    const pasted = { loginMethod: 'sessionToken' };
    expect(scope({ ...pasted, phone: '9000000002' })).toBe(scope(pasted));
    expect(scope({ ...pasted, deviceId: 'other' })).not.toBe(scope(pasted));
  });
});
