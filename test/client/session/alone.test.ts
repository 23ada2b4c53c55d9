/**
 * A change of the stored credential (trading is stopped) beside logins of other processes, in virtual time, under an
 * n8n before 2.34: a login stores the whole credential that it read before. SESSIONS_SEED=n repeats one seed;
 * SESSIONS_SEEDS sets how many run.
 */
import { sendInSession, SessionManager, type CredentialStore } from '../../../client/session/session-manager';
import { Sessions } from '../../../client/session/sessions';
import { readSettings, readState, type CredentialFields } from '../../../client/session/settings';
import { authHeaders } from '../../../client/session/auth-headers';
import type { WireRequest } from '../../../client/base/ports';
import { BASE, LoginModel, MPIN, PHONE, SECRET } from '../../support/login-service';
import { seedsOf } from '../../support/seeds';
import { seededRandom, VirtualTime } from '../../support/virtual-time';

const SEEDS = seedsOf('SESSIONS', 40);
const FIELDS: CredentialFields = {
  environment: 'live',
  liveBaseUrl: BASE,
  deviceId: 'n8n',
  loginMethod: 'totp',
  phone: PHONE,
  mpin: MPIN,
  totpSecret: SECRET,
};

/** @param isAlone whether the change is made as it should be, or by just writing it. @returns what is stored at the end. */
async function simulate(seed: number, isAlone: boolean): Promise<{ stored: CredentialFields; logins: number }> {
  const random = seededRandom(seed);
  const time = new VirtualTime();
  const slow = random() < 0.5 ? 8_000 : 300;
  const service = new LoginModel(time, { latency: () => 5 + random() * slow });
  let stored: CredentialFields = { ...FIELDS };
  const access = async (): Promise<void> => await time.sleep(1 + random() * 100);
  /** Stores the whole credential that was seen, with some fields changed. */
  const write = async (seen: CredentialFields, changes: CredentialFields): Promise<void> => {
    await access();
    stored = { ...seen, ...changes };
  };
  const storeOf = (sessions: Sessions): CredentialStore => ({
    readStored: async () => {
      await access();
      return { ...stored };
    },
    readLately: () => undefined,
    writeClaim: async (seen, loginClaim) => await write(seen, { loginClaim }),
    logIn: async (seen) => {
      const settings = readSettings({ ...seen, unattended: true });
      const { state } = await sessions.obtain(service.http, settings, { ...readState(seen), sessionToken: '' });
      await write(seen, { ...state, loginClaim: '' });
    },
  });
  const processes = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const emulator = new SessionManager(time.clock, random);
    const store = storeOf(new Sessions(time.clock, () => '00000000-0000-4000-8000-000000000001'));
    const http = async (request: WireRequest) =>
      await sendInSession(
        emulator,
        store,
        request,
        async (fields) => await service.http({ ...request, headers: authHeaders(fields, request.url) }),
      );
    return { emulator, store, http };
  });
  const pick = () => processes[Math.floor(random() * processes.length)]!;
  const ask = async (): Promise<void> => {
    await time.sleep(random() * 6_000);
    const reply = await pick().http({ method: 'POST', url: `${BASE}/orders`, headers: {}, timeoutMs: 30_000 });
    expect(reply.status).toBeLessThan(500);
  };
  const stop = async (): Promise<void> => {
    await time.sleep(random() * 6_000);
    const { emulator, store } = pick();
    const change = async (seen: CredentialFields): Promise<void> =>
      await write(seen, { loginClaim: '', tradingStopped: true });
    if (isAlone) await emulator.alone(store, change);
    else await write(await store.readStored(), { tradingStopped: true });
    if (isAlone) expect(stored.tradingStopped).toBe(true);
  };
  const work = [stop(), ...Array.from({ length: 1 + Math.floor(random() * 8) }, ask)];
  const ended = await time.run(Promise.allSettled(work));
  if (isAlone) expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  return { stored, logins: service.logins };
}

it(
  'no login that began before a stop clears it, over any number of processes',
  async () => {
    let logins = 0;
    await SEEDS.run(async (seed) => {
      const ran = await simulate(seed, true);
      expect({ stopped: ran.stored.tradingStopped, claim: ran.stored.loginClaim }).toEqual({
        stopped: true,
        claim: '',
      });
      logins += ran.logins;
      return [];
    });
    expect(logins).toBeGreaterThanOrEqual(SEEDS.count);
  },
  SEEDS.limitMs,
);

it(
  'a login that only writes clears a stop in the same worlds, so that the test above can fail',
  async () => {
    const ends = await SEEDS.run(async (seed) => [
      (await simulate(seed, false)).stored.tradingStopped ? 'kept' : 'cleared',
    ]);
    expect([...ends]).toContain('cleared');
  },
  SEEDS.limitMs,
);
