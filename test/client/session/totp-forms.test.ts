import fc from 'fast-check';
import { TOTP } from 'otpauth';
import { isFormRefusal } from '../../../client/session/totp-attempt';
import type { WireRequest, WireResponse } from '../../../client/base/ports';
import { readLoginState } from '../../../client/session/login-state';
import { accountOf, fingerprintLogin, readSettings } from '../../../client/session/settings';
import { SECRET } from '../../support/login-service';
import { Stored, TOTP_FIELDS } from '../../support/stored-credential';

/** Forms that a service takes: `both` or one form, `none` of them. */
type Takes = 'text' | 'number' | 'both' | 'none';

/** Refusals of services and their frameworks that cannot read a request. */
const FORM_REFUSALS: readonly [number, string][] = [
  [400, '{"error":"json: cannot unmarshal string into Go struct field TotpLogin.totp of type int"}'],
  [400, '{"error":"invalid field totp","plat_error_code":""}'],
  [400, '{"message":"Request parsing failed"}'],
  [400, 'json: cannot unmarshal string into Go value of type int64\n'],
  [400, '{"statusCode":400,"error":"Bad Request","message":"body/totp must be integer"}'],
  [400, '{"error":"totp is required"}'],
  [400, '{"errors":[{"field":"totp","message":"Expected number, received string"}]}'],
  [422, '{"detail":[{"loc":["body","totp"],"msg":"value is not a valid integer","type":"type_error.integer"}]}'],
  [422, '{"message":"totp must be a number"}'],
  [400, '{"error":"invalid TOTP format"}'],
  [500, '{"error":"strconv.Atoi: parsing totp: invalid syntax"}'],
];
/** Refusals of a code by services. */
const CODE_REFUSALS: readonly [number, string][] = [
  [400, '{"error":"invalid totp"}'],
  [400, '{"error":"Invalid TOTP. A new code is required"}'],
  [422, '{"error":"wrong totp"}'],
  [400, '{"error":"incorrect TOTP, enter the 6-digit number","attempts_left":3}'],
  [401, '{"error":"Wrong or expired TOTP","attempts_left":3}'],
  [400, '{"message":"TOTP has already been used"}'],
  [400, '{"message":"TOTP does not match"}'],
  [400, '{"error":"invalid field totp","attempts_left":2}'],
  [403, '{"error":"TOTP is not allowed for this account"}'],
];

const reply = (status: number, body: string): WireResponse => ({ status, headers: {}, body: Buffer.from(body) });

/** The service behind a check of the form. @returns every code in the form in which it was sent */
function behind(stored: Stored, takes: () => Takes, refusal: [number, string] = FORM_REFUSALS[0] as [number, string]) {
  const sent: unknown[] = [];
  const { http } = stored.service;
  stored.service.http = async (request: WireRequest, signal) => {
    if (!request.url.endsWith('/totp/login')) return await http(request, signal);
    const body = JSON.parse(request.body ?? '') as { totp: string | number };
    sent.push(body.totp);
    const form = typeof body.totp === 'string' ? 'text' : 'number';
    if (takes() !== 'both' && takes() !== form) return reply(...refusal);
    const text = JSON.stringify({ ...body, totp: String(body.totp).padStart(6, '0') });
    return await http({ ...request, body: text }, signal);
  };
  return sent;
}

const memoryOf = (stored: Stored) => {
  const settings = readSettings(stored.fields);
  return readLoginState(stored.state.loginState, { for: fingerprintLogin(settings), account: accountOf(settings) });
};

describe('a login by TOTP works whichever form of the code the service takes', () => {
  it.each<[Takes, string[]]>([
    ['text', ['string']],
    ['both', ['string']],
    ['number', ['string', 'number']],
  ])('logs in with %s', async (takes, forms) => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => takes);
    expect(await stored.save()).toBe('');
    expect(sent.map((code) => typeof code)).toEqual(forms);
    expect(new Set(sent.map((code) => String(code).padStart(6, '0'))).size).toBe(1);
    expect(stored.service.pins).toHaveLength(1);
  });

  it.each(FORM_REFUSALS)('the number follows the refusal %i %s', async (...refusal) => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => 'number', refusal);
    expect(await stored.save()).toBe('');
    expect(sent).toEqual([expect.any(String), expect.any(Number)]);
  });

  it.each(CODE_REFUSALS)('a refused code is not sent again: %i %s', async (...refusal) => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => 'none', refusal);
    expect(await stored.save()).not.toBe('');
    expect(sent).toHaveLength(1);
  });

  it('remembers the form that worked, over a restart too, and tries the other where the service has changed', async () => {
    let takes: Takes = 'number';
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => takes);
    const again = async (): Promise<string[]> => {
      sent.length = 0;
      stored.service.kill();
      stored.restart();
      expect(await stored.save()).toBe('');
      return sent.map((code) => typeof code);
    };
    expect(await again()).toEqual(['string', 'number']);
    expect(await again()).toEqual(['number']);
    takes = 'text';
    expect(await again()).toEqual(['number', 'string']);
    expect(await again()).toEqual(['string']);
  });

  it('a number of which the reply is lost is remembered: the text is not refused again', async () => {
    const stored = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (url.endsWith('/totp/login') ? 'after' : undefined) },
    );
    behind(stored, () => 'number');
    await stored.save();
    expect(memoryOf(stored).totpForm).toBe('number');
  });

  it('the error names both forms where neither is read, and two such logins are the last', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => 'none');
    expect(await stored.save()).toMatch(/sent as text and as a number, and both forms of the request were refused/);
    expect(await stored.save()).toMatch(/No further attempt is made until the credential is changed/);
    expect(sent.map((code) => typeof code)).toEqual(['string', 'number', 'string', 'number']);
    await stored.save();
    expect(sent).toHaveLength(4);
    expect(memoryOf(stored).totpForm).toBeUndefined();
  });

  it('a code that is refused as a number is named with the form that was tried before', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    behind(stored, () => 'number');
    expect(await stored.save()).toMatch(/TOTP code was refused.*sent as number, as the service cannot read it as text/);
    expect(memoryOf(stored).totpForm).toBe('number');
  });

  it('a page with 403 is no refusal of the form', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const sent = behind(stored, () => 'none', [403, '<html>json: cannot parse totp of type string</html>']);
    expect(await stored.save()).toMatch(/not the brokerage service/);
    expect(sent).toHaveLength(1);
  });

  it('the number is the code of the moment, also where the step ended while the text was refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 29_999 }),
        fc.integer({ min: 1, max: 40_000 }),
        async (start, takesMs) => {
          const stored = new Stored({ ...TOTP_FIELDS });
          await stored.time.run(stored.time.sleep(start));
          const sent: { code: unknown; at: number }[] = [];
          const { http } = stored.service;
          stored.service.http = async (request, signal) => {
            if (!request.url.endsWith('/totp/login')) return await http(request, signal);
            const code: unknown = (JSON.parse(request.body ?? '') as { totp: unknown }).totp;
            sent.push({ code, at: stored.time.now() });
            if (typeof code === 'number') return reply(201, '{"auth_token":"a"}');
            await stored.time.sleep(takesMs, signal);
            return reply(...(FORM_REFUSALS[0] as [number, string]));
          };
          await stored.save();
          expect(sent).toHaveLength(2);
          const totp = new TOTP({ secret: SECRET });
          for (const { code, at } of sent) expect(Number(code)).toBe(Number(totp.generate({ timestamp: at })));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('a step answered with success refuses nothing', () => {
    expect(isFormRefusal({ ok: true, value: 'auth' })).toBe(false);
  });
});
