import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FIRST, lastOtp, logIn, logInByOtp, now, SECOND, start, totpAt } from '../support';

describe('Secrets stay where they belong', () => {
  it('no token, code or MPIN in the files of --data, in the journal, or in a refusal', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-secrets-'));
    const bench = await start({ data: folder });
    const totp = totpAt(FIRST.secret, await now(bench.http));
    const first = await logIn(bench);
    const second = await logInByOtp(bench);
    const otp = await lastOtp(bench.http, SECOND.phone);
    const replies: string[] = [];
    const keep = async (reply: Promise<{ data: unknown }>) => replies.push(JSON.stringify((await reply).data));
    await keep(
      bench.http.post('/totp/login', { phone: FIRST.phone, totp, otp: '' }, { headers: { 'x-device-id': 'd' } }),
    );
    await keep(bench.http.post('/totp/disable', { mpin: '97531' }, { headers: first }));
    await keep(bench.http.get('/userinfo', { headers: { ...first, 'x-device-id': 'another' } }));
    await keep(bench.http.get('/_sandbox/journal'));
    await keep(bench.http.get('/_sandbox/stats'));
    await bench.close();
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
    rmSync(folder, { recursive: true, force: true });
    const secrets = {
      otp,
      totp,
      'wrong MPIN': '97531',
      session: first['authorization']!.slice(7),
      'other session': second['authorization']!.slice(7),
    };
    expect(files.join('')).toContain('login.pin_accepted');
    for (const [name, secret] of Object.entries(secrets)) {
      for (const text of [...files, ...replies]) expect([name, text.includes(secret)]).toEqual([name, false]);
    }
    for (const text of replies)
      for (const mpin of [FIRST.secret, FIRST.mpin, SECOND.mpin]) expect(text).not.toContain(`"${mpin}"`);
  });
});
