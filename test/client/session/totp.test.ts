import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { InputError } from '../../../client/base/errors';
import {
  SLOW_NETWORK_LIFE_MS,
  clockSkewSeconds,
  nextTotpStep,
  totpCode,
  totpKey,
  totpStep,
} from '../../../client/session/totp';
import { VirtualTime } from '../../support/virtual-time';

describe('TOTP', () => {
  it('makes the codes of RFC 6238, appendix B (the last six digits)', () => {
    const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer as ArrayBuffer })
      .base32;
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ] as const) {
      expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code);
    }
  });

  it('makes the codes that otpauth makes, with leading zeros', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 10, maxLength: 40 }),
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        (bytes, at) => {
          const secret = new Secret({ buffer: bytes.slice().buffer });
          expect(totpCode(secret.base32, totpStep(at))).toBe(new TOTP({ secret }).generate({ timestamp: at }));
        },
      ),
    );
  });

  it('reads a secret as people copy it', () => {
    const key = totpKey('KRSXG5CTMVRXEZLU');
    for (const copied of [
      ' krsx g5ct mvrx ezlu ',
      'KRSX-G5CT-MVRX-EZLU',
      'KRSXG5CTMVRXEZLU====',
      'otpauth://totp/Broker:me?issuer=Broker&secret=KRSXG5CTMVRXEZLU&digits=6',
      'otpauth://totp/Broker:me?secret=KRSXG5CTMVRXEZLU%3D%3D%3D%3D&algorithm=sha1&period=30&issuer=Broker',
      'otpauth://totp/Broker:me?secret=krsx%20g5ct+mvrx%20ezlu',
      'otpauth://totp/Broker:me?secret=KRSXG5CTMVRXEZLU&algorithm=SHA-1',
      '"otpauth://totp/Broker:me?secret=KRSXG5CTMVRXEZLU&issuer=Broker"',
      "'KRSX G5CT MVRX EZLU'",
      'OTPAUTH://TOTP/?SECRET=KRSXG5CTMVRXEZLU',
      '\u200bKRSXG5CTMVRXEZLU\u00a0',
      'KRSX\u2013G5CT\u2011MVRX-EZLU\n',
    ]) {
      expect(totpKey(copied)).toEqual(key);
    }
  });

  it.each([
    ['otpauth://totp/B:me?secret=KRSXG5CTMVRXEZLU&digits=8', 'another kind (digits)'],
    ['otpauth://totp/B:me?secret=KRSXG5CTMVRXEZLU&algorithm=SHA256', 'another kind (algorithm)'],
    ['otpauth://totp/B:me?secret=KRSXG5CTMVRXEZLU&period=60', 'another kind (period)'],
    ['otpauth://hotp/B:me?secret=KRSXG5CTMVRXEZLU&counter=1', 'without one secret for codes by time'],
    ['otpauth-migration://offline?data=CjEKCkhlbGxvId6tvu8', 'without one secret for codes by time'],
    ['otpauth://totp/B:me?issuer=B', 'without one secret for codes by time'],
    ['KRSXG5CTMVRXEZL0', 'it holds 0, 1, 8 or 9'],
    ['KRSXG5CTMVRXEZLU8', 'it holds 0, 1, 8 or 9'],
  ])('tells what is wrong with %j', (secret, why) => expect(() => totpKey(secret)).toThrow(why));

  it.each(['', '123456', 'KRSXG5CTMVRXEZL1!', 'ABC'])('refuses %j without showing it', (secret) => {
    const refused = (() => {
      try {
        return totpKey(secret);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(InputError);
    if (secret !== '') expect((refused as InputError).message + (refused as InputError).hint).not.toContain(secret);
    expect((refused as InputError).parameter).toBe('totpSecret');
  });

  it('waits for the next code close to the end of a step, and never takes a used one', async () => {
    const start = 1_800_000_000_000;
    const late = new VirtualTime(start + 28_000);
    expect(await late.run(nextTotpStep(late.clock, []))).toBe(totpStep(start) + 1);
    expect(late.now()).toBe(start + 30_000);

    const fresh = new VirtualTime(start + 1_000);
    expect(await fresh.run(nextTotpStep(fresh.clock, []))).toBe(totpStep(start));
    expect(fresh.now()).toBe(start + 1_000);
    expect(await fresh.run(nextTotpStep(fresh.clock, [totpStep(start), totpStep(start) + 1]))).toBe(
      totpStep(start) + 2,
    );
  });

  it('requires three seconds of a code, or fifteen on a slow way, to the millisecond', async () => {
    const start = 1_800_000_000_000;
    for (const [leftMs, shortest, later] of [
      [3_000, undefined, 0],
      [2_999, undefined, 1],
      [15_000, SLOW_NETWORK_LIFE_MS, 0],
      [14_999, SLOW_NETWORK_LIFE_MS, 1],
    ] as const) {
      const time = new VirtualTime(start + 30_000 - leftMs);
      expect(await time.run(nextTotpStep(time.clock, [], undefined, shortest))).toBe(totpStep(start) + later);
    }
  });

  it('waits no longer when the execution is stopped', async () => {
    const time = new VirtualTime(1_800_000_000_000 + 28_000);
    const controller = new AbortController();
    const waiting = nextTotpStep(time.clock, [], controller.signal);
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  it('tells by how many seconds a clock is wrong', () => {
    const now = Date.parse('2026-11-20T04:30:00Z');
    const at = (offset: number): string => new Date(now - offset * 1000).toUTCString();
    expect(clockSkewSeconds(now, at(93))).toBe(93);
    expect(clockSkewSeconds(now, at(-3600))).toBe(-3600);
    for (const small of [3, 5, -5]) expect(clockSkewSeconds(now, at(small))).toBeUndefined();
    expect([clockSkewSeconds(now, at(6)), clockSkewSeconds(now, at(-6))]).toEqual([6, -6]);
    expect(clockSkewSeconds(now, undefined)).toBeUndefined();
    expect(clockSkewSeconds(now, 'soon')).toBeUndefined();
  });
});

it('the error says that an empty secret is empty and a short one is short, and refuses "=" but at the end', () => {
  expect(() => totpKey(' - ')).toThrow('it is empty');
  expect(() => totpKey('JBSWY3DP')).toThrow('it is too short');
  expect(() => totpKey('JBSWY3DP=EHPK3PXPJBSWY3DPEHPK3PXP')).toThrow('a character that a TOTP secret does not have');
  expect(totpKey('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP====')).toEqual(totpKey('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'));
});
