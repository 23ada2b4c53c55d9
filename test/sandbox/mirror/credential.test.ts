import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startSandbox } from '../../../sandbox/src';
import { FIRST, start, START } from '../support';
import { credentialFile, Wire } from './support';

const SECRET = 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU';

describe('The credential of a mirror', () => {
  const files: string[] = [];
  const written = (values: object, mode?: number): string => {
    const file = credentialFile(values, mode);
    files.push(file);
    return file;
  };
  afterAll(() => files.forEach((file) => rmSync(path.dirname(file), { recursive: true })));
  const failure = async (mirror: string): Promise<string> => {
    const error: unknown = await startSandbox({ mirror, start: START, clock: 'manual' }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof Error ? error.message : 'none';
  };

  it.each([
    ['others may read it', { address: 'https://a.example', token: 'abc', device_id: 'd' }, 0o644, 'chmod 600'],
    ['its way is open', { address: 'http://a.example', token: 'abc', device_id: 'd' }, 0o600, 'https://'],
    ['its address has a path', { address: 'https://a.example/x', token: 'abc', device_id: 'd' }, 0o600, 'no path'],
    ['its address has a password', { address: 'https://u:p@a.example', token: 'abc', device_id: 'd' }, 0o600, 'https'],
    ['no device is told', { address: 'https://a.example', token: 'abc' }, 0o600, 'device_id is missing'],
    ['a token and a login are told', { address: 'https://a.example', token: 'abc', mpin: '1357' }, 0o600, 'keep one'],
    ['a login is not whole', { address: 'https://a.example', phone: '9', mpin: '1357' }, 0o600, 'totp_secret'],
    ['it holds a list', [], 0o600, 'must be JSON'],
  ])('is refused where %s, in words without what it holds', async (_why, values, mode, words) => {
    const text = await failure(written(values, mode));
    expect(text).toContain('--mirror ');
    expect(text).toContain(words);
    expect(text).not.toMatch(/abc|1357/);
  });

  it('is refused where there is none', async () => {
    const file = written({});
    expect(await failure(`${file}.missing`)).toContain('there is no such file');
    expect(existsSync(file)).toBe(true);
  });

  it('may be a separate login: one TOTP login, and what is written holds no secret', async () => {
    const live = await start({ hours: 'exchange', rateLimit: 'off' });
    const wire = new Wire(new URL(live.running.url));
    const lines: string[] = [];
    const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    const { phone, mpin } = FIRST;
    const mirror = written({ address: await wire.listen(), phone, mpin, totp_secret: SECRET });
    const running = await startSandbox({ mirror, start: START, clock: 'manual', hours: 'exchange' });
    const sandbox = running.sandbox;
    await new Promise<void>((resolve) => {
      const look = (): void => (sandbox.mirror!.status().state === 'live' ? resolve() : undefined);
      sandbox.onChange(look);
      look();
    });
    const logins = wire.sent.filter(({ method }) => method === 'POST').map(({ path: where }) => where);
    expect(logins).toEqual(['/totp/login', '/verifypin']);
    expect(lines.join('')).toContain('Mirror: live since');
    expect(lines.join('')).not.toMatch(new RegExp([SECRET, mpin, 'eyJ', 'token='].join('|')));
    spy.mockRestore();
    await running.close();
    await wire.close();
    await live.close();
  });

  it('is refused at the start where its session has expired', async () => {
    const live = await start();
    const text = await failure(written({ address: live.running.url, token: 'eyJdead.token.here', device_id: 'd' }));
    expect(text).toContain('log in anew');
    expect(text).not.toContain('eyJ');
    await live.close();
  });
});
