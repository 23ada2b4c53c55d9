import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeWith } from '../../support/needs';
import { FIRST, lastOtp, logIn, logInByOtp, now, SECOND, start, totpAt } from '../support';

const POSIX = { name: 'rights of files', found: process.platform === 'win32' ? undefined : process.platform };

describe('Secrets stay where they belong', () => {
  it('are absent from the files of --data, from the journal, and from a refusal: no token, code or MPIN', async () => {
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

describeWith(POSIX, 'Files of --data on a system that knows owners', () => {
  it.each(['new', 'left open by an earlier version'])(
    'are for their owner only, in a folder that is open: %s',
    async (how) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-secrets-'));
      chmodSync(folder, 0o755);
      const before = process.umask(0);
      if (how !== 'new') writeFileSync(path.join(folder, 'sandbox.sqlite'), '');
      const bench = await start({ data: folder });
      process.umask(before);
      const names = readdirSync(folder);
      const rights = names.map((name) => (statSync(path.join(folder, name)).mode & 0o777).toString(8));
      await bench.close();
      rmSync(folder, { recursive: true, force: true });
      expect(names).toContain('sandbox.sqlite');
      expect(names.length).toBeGreaterThan(1);
      expect(new Set(rights)).toEqual(new Set(['600']));
    },
  );
});
