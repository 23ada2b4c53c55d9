/**
 * Sessions in virtual time: concurrent executions over several processes with one stored credential, while sessions
 * expire, are ended from outside, and logins are slow or fail. A failing seed is printed and replays alone with
 * SESSIONS_SEED=n; SESSIONS_SEEDS sets how many run.
 */
import { NetworkError, SessionError } from '../../../client/base/errors';
import type { WireRequest, WireResponse } from '../../../client/base/ports';
import { sendInSession, SessionManager, type CredentialStore } from '../../../client/session/session-manager';
import { Sessions } from '../../../client/session/sessions';
import { readSettings, readState, type CredentialFields } from '../../../client/session/settings';
import { authHeaders } from '../../../client/session/auth-headers';
import { BASE, LoginModel, MPIN, PHONE, SECRET } from '../../support/login-service';
import { seedsOf } from '../../support/seeds';
import { VirtualTime, seededRandom } from '../../support/virtual-time';

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

async function simulate(seed: number): Promise<{ logins: number; deaths: number; failed: string[] }> {
  const random = seededRandom(seed);
  const chance = (probability: number): boolean => random() < probability;
  const time = new VirtualTime();
  const slow = chance(0.3) ? 8_000 : 300;
  const failing = chance(0.4) ? 0.3 : 0;
  const wrongMpin = chance(0.1);
  let lost = 0;
  let loginFaults = 0;
  const LOGIN = /totp\/login|verifypin/;
  const service = new LoginModel(time, {
    latency: () => 5 + random() * slow,
    fault: ({ url }) => {
      if (!LOGIN.test(url) || !chance(failing)) return undefined;
      loginFaults += 1;
      const fault = (['before', 'after', 500, 503, 429] as const)[Math.floor(random() * 5)];
      if (fault === 'after' && url.endsWith('/verifypin')) lost += 1;
      return fault;
    },
  });

  // The database: every access takes a little, and a write carries the whole credential, as in n8n.
  let stored: CredentialFields = { ...FIELDS, ...(wrongMpin ? { mpin: '1111' } : {}) };
  const access = async (): Promise<void> => await time.sleep(1 + random() * 100);
  const merge = async (changes: CredentialFields): Promise<void> => {
    await access();
    const before = stored;
    await access();
    stored = { ...before, ...changes };
  };
  const storeOf = (sessions: Sessions): CredentialStore => {
    let read: { fields: CredentialFields; at: number } | undefined;
    return {
      readStored: async () => {
        const at = time.now();
        await access();
        read = { fields: { ...stored }, at };
        return read.fields;
      },
      readLately: () => (read !== undefined && time.now() - read.at < 1_000 ? read.fields : undefined),
      writeClaim: async (seen, loginClaim) => await merge({ sessionToken: seen.sessionToken, loginClaim }),
      logIn: async (seen) => {
        const outcome = await sessions.obtain(service.http, readSettings({ ...seen, unattended: true }), {
          ...readState(seen),
          sessionToken: '',
        });
        await merge({ ...outcome.state, loginClaim: '' });
        authHeaders(
          outcome.state.sessionToken === '' ? { ...FIELDS, ...outcome.state } : { ...stored, ...outcome.state },
          `${BASE}/userinfo`,
        );
      },
    };
  };
  const processes = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const emulator = new SessionManager(time.clock, random);
    const sessions = new Sessions(time.clock, () => '00000000-0000-4000-8000-000000000001');
    const store = storeOf(sessions);
    return async (request: WireRequest): Promise<WireResponse> =>
      await sendInSession(
        emulator,
        store,
        request,
        async (fields) => await service.http({ ...request, headers: authHeaders(fields, request.url) }),
      );
  });

  let deaths = 0;
  const die = (): void => {
    if (service.session !== undefined && service.session.until > time.now()) deaths += 1;
    service.kill();
  };
  const failed: string[] = [];
  const request = async (): Promise<void> => {
    const http = processes[Math.floor(random() * processes.length)]!;
    const before = loginFaults;
    try {
      const reply = await http({ method: 'GET', url: `${BASE}/portfolio/holdings`, headers: {}, timeoutMs: 30_000 });
      if (reply.status !== 200) failed.push(`status ${reply.status}`);
    } catch (error) {
      const excused =
        (error instanceof SessionError || error instanceof NetworkError) &&
        (wrongMpin || loginFaults > before || failing > 0);
      if (!excused) failed.push(String(error));
    }
  };

  const rounds = 1 + Math.floor(random() * 5);
  for (let round = 0; round < rounds; round++) {
    const burst = Array.from({ length: 1 + Math.floor(random() * 12) }, async () => {
      await time.sleep(random() * (chance(0.5) ? 50 : 3_000));
      await request();
    });
    await time.run(Promise.all(burst));
    if (chance(0.3)) {
      if (service.session !== undefined) deaths += 1;
      await time.run(time.sleep(7 * 3_600_000 + 1));
      service.session = undefined;
    } else {
      // Far enough from the login before that it is not taken for a fight over the account.
      await time.run(time.sleep(200_000 + random() * 1_000_000));
      if (chance(0.7)) die();
    }
  }
  expect(new Set(service.codes).size).toBe(service.codes.length);
  expect(service.pins.length).toBeLessThanOrEqual(wrongMpin ? 1 : service.logins + loginFaults);
  return { logins: service.logins - lost, deaths, failed };
}

it(
  `logs in once for each session that ends, over any number of processes (${SEEDS.schedules})`,
  async () => {
    let logins = 0;
    await SEEDS.run(async (seed) => {
      const ran = await simulate(seed);
      expect(ran.failed).toEqual([]);
      expect(ran.logins).toBeLessThanOrEqual(ran.deaths + 1);
      logins += ran.logins;
      return [];
    });
    expect(logins).toBeGreaterThan(SEEDS.count / 2);
  },
  SEEDS.limitMs,
);
