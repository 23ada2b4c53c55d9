import { BASE, MPIN, SECRET } from '../../support/login-service';
import { Stored, TOTP_FIELDS } from '../../support/stored-credential';

describe('login by TOTP', () => {
  it('logs in once and keeps the session while it is valid', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    expect(await stored.save()).toBe('');
    expect(await stored.save()).toBe('');
    stored.restart();
    expect(await stored.save()).toBe('');
    expect(stored.service.logins).toBe(1);
  });

  it('logs in again when the session has expired, with a code that was never sent', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    for (let times = 0; times < 5; times++) {
      expect(await stored.save()).toBe('');
      stored.service.kill();
      stored.restart();
    }
    expect(stored.service.logins).toBe(5);
    expect(new Set(stored.service.codes).size).toBe(stored.service.codes.length);
  });

  it('never sends a code twice, not even from two credentials of one account', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    expect(await stored.save()).toBe('');
    stored.fields = { ...TOTP_FIELDS, mpin: '1111' };
    expect(await stored.save()).toMatch(/The MPIN was refused/);
    expect(stored.service.codes).toHaveLength(2);
    expect(new Set(stored.service.codes).size).toBe(2);
  });

  it('renews a session that is about to expire', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    await stored.save();
    await stored.time.run(stored.time.sleep(7 * 3_600_000 - 60_000));
    expect(await stored.save()).toBe('');
    expect(stored.service.logins).toBe(2);
  });

  it('sends a refused MPIN once, until the credential changes, over restarts', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, mpin: '1111' });
    for (let times = 0; times < 4; times++) {
      expect(await stored.save()).toMatch(/The MPIN was refused.*wrong mpin.*Attempts left: 3.*Correct the MPIN/);
      stored.restart();
    }
    expect(stored.service.pins).toEqual(['1111']);
    expect(await stored.save({ mpin: MPIN })).toBe('');
  });

  it('says that the secret is wrong, and stops after the second refusal', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    expect(await stored.save()).toMatch(/TOTP code was refused.*invalid totp.*Check the TOTP Secret/);
    expect(await stored.save()).toMatch(/No further attempt/);
    expect(await stored.save()).toMatch(/No further attempt/);
    expect(stored.service.codes).toHaveLength(2);
    expect(await stored.save({ totpSecret: SECRET })).toBe('');
  });

  it('says by how much the clock is wrong', async () => {
    const stored = new Stored({ ...TOTP_FIELDS }, { clockOffBy: 93_000 });
    expect(await stored.save()).toMatch(/this computer's clock is 9[234] seconds ahead of the broker's/);
    const other = new Stored({ ...TOTP_FIELDS }, { clockOffBy: -3_600_000 });
    expect(await other.save()).toMatch(/60 minutes behind/);
  });

  it('remembers a code whose reply was lost', async () => {
    let lose = true;
    const stored = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (lose && url.endsWith('/totp/login') ? 'after' : undefined) },
    );
    expect(await stored.save()).toMatch(/connection broke/);
    lose = false;
    stored.restart();
    expect(await stored.save()).toBe('');
    expect(new Set(stored.service.codes).size).toBe(2);
  });

  it('tells a busy and a broken service from a refusal', async () => {
    let status = 429;
    const stored = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (status > 0 && url.endsWith('/verifypin') ? status : undefined) },
    );
    expect(await stored.save()).toMatch(/too many requests/);
    status = 503;
    expect(await stored.save()).toMatch(/could not log in just now \(status 503\)/);
    status = 0;
    expect(await stored.save()).toBe('');
  });

  it.each(['after', 503] as const)(
    'sends an MPIN whose answer was lost (%s) again only when the credential is saved by hand',
    async (fault) => {
      let lose = true;
      const stored = new Stored(
        { ...TOTP_FIELDS, mpin: '1111' },
        { fault: ({ url }) => (lose && url.endsWith('/verifypin') ? fault : undefined) },
      );
      expect(await stored.save({ unattended: true })).toMatch(/connection broke|status 503/);
      lose = false;
      const sent = (): number => stored.service.requests.filter(({ url }) => url.endsWith('/verifypin')).length;
      expect(sent()).toBe(1);
      for (let times = 0; times < 3; times++) {
        stored.restart();
        expect(await stored.save({ unattended: true })).toMatch(
          /MPIN was sent, but no answer came.*not sent again without you.*save it/,
        );
      }
      expect(sent()).toBe(1);
      expect(stored.service.codes).toHaveLength(1);
      expect(await stored.save({ unattended: false })).toMatch(/The MPIN was refused/);
      expect(sent()).toBe(2);
      expect(await stored.save({ mpin: MPIN, unattended: true })).toBe('');
    },
  );

  it('goes on unattended after a lost answer with an MPIN that has been accepted before', async () => {
    let lose = false;
    const stored = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (lose && url.endsWith('/verifypin') ? 'after' : undefined) },
    );
    expect(await stored.save()).toBe('');
    stored.service.kill();
    lose = true;
    expect(await stored.save({ unattended: true })).toMatch(/connection broke/);
    lose = false;
    expect(await stored.save({ unattended: true })).toBe('');
  });

  it('takes 200 and 201 for verified', async () => {
    for (const verifyStatus of [200, 201])
      expect(await new Stored({ ...TOTP_FIELDS }, { verifyStatus }).save()).toBe('');
  });

  it('backs off from an account that somebody else logs in to all the time', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    for (let times = 0; times < 20; times++) {
      await stored.save();
      stored.service.kill();
    }
    expect(await stored.save()).toMatch(/something else logs in to this account.*No login is tried before 2026-/);
    expect(stored.service.logins).toBe(8);
    await stored.time.run(stored.time.sleep(300_000));
    expect(await stored.save()).toBe('');
  });
});

describe('a pasted session token', () => {
  const fields = { environment: 'live', liveBaseUrl: BASE, deviceId: 'n8n', loginMethod: 'sessionToken' };

  it('is used unchanged, and never renewed', async () => {
    const maker = new Stored({ ...TOTP_FIELDS });
    await maker.save();
    const stored = new Stored({ ...fields, pastedToken: `Bearer ${maker.state.sessionToken}\n` });
    stored.service.session = maker.service.session;
    expect(await stored.save()).toBe('');
    stored.service.kill();
    expect(await stored.save()).toMatch(/no longer accepts the pasted session token/);
    expect(stored.service.logins).toBe(0);
  });

  it('is refused when it holds a line break or has expired', async () => {
    expect(await new Stored({ ...fields, pastedToken: 'abc\r\nX: y' }).save()).toMatch(/cannot be sent/);
    const expired = `a.${Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString('base64url')}.c`;
    expect(await new Stored({ ...fields, pastedToken: expired }).save()).toMatch(/expired at 2023-11-14/);
  });
});
