/**
 * Trading is stopped in one process while another one logs in, in virtual time, under an n8n before 2.34: the login
 * stores the whole credential that it read when it began.
 */
import { stopTrading } from '../../../nodes/host/http';
import { fields, OldN8n } from '../../support/old-n8n';
import { BASE } from '../../support/login-service';
import { VirtualTime } from '../../support/virtual-time';

type Host = typeof import('../../../nodes/host/http');
type Credential = typeof import('../../../credentials/BrokerageApi.credentials');

/** The code of the package in a separate process: nothing in memory is shared with another one. */
function processOf(n8n: OldN8n, time: VirtualTime) {
  let loaded: { host: Host; credential: Credential } | undefined;
  jest.isolateModules(() => {
    jest.doMock('../../../nodes/host/clock', () => ({ clock: time.clock }));
    loaded = {
      host: jest.requireActual<Host>('../../../nodes/host/http'),
      credential: jest.requireActual<Credential>('../../../credentials/BrokerageApi.credentials'),
    };
  });
  const { host, credential } = loaded!;
  expect(host.stopTrading).not.toBe(stopTrading);
  const context = n8n.contextOf(new credential.BrokerageApi());
  const store = host.storeOf(context, new Set());
  const request = { method: 'GET', url: `${BASE}/userinfo`, headers: {}, timeoutMs: 1_000 } as const;
  return {
    stop: async () => await host.stopTrading(context, store),
    ask: async () => await host.authenticatedHttp(context, store)(request),
    byHand: async (otp: string) => await host.logInByHand(context, otp),
  };
}

it.each([0, 500, 1_900, 2_500, 5_000, 9_000])(
  'a login that began %i ms before does not clear it, and is made once',
  async (ms) => {
    const time = new VirtualTime();
    const n8n = new OldN8n(fields({ tradingStopped: false }), time, 2_000);
    const [item, other] = [processOf(n8n, time), processOf(n8n, time)];
    const work = async (): Promise<number> => {
      const login = item.ask();
      await time.sleep(ms);
      await other.stop();
      expect(n8n.stored).toMatchObject({ tradingStopped: true, loginClaim: '' });
      return (await login).status;
    };
    expect(await time.run(work())).toBe(200);
    expect(n8n.stored).toMatchObject({ tradingStopped: true, loginClaim: '' });
    expect(n8n.service.logins).toBe(1);
  },
);

it.each([0, 1_000, 4_000])(
  'a login by hand with an OTP that began %i ms before does not clear it either',
  async (ms) => {
    const time = new VirtualTime();
    const n8n = new OldN8n(fields({ tradingStopped: false, loginMethod: 'otp', otp: '' }), time, 2_000);
    const [item, other] = [processOf(n8n, time), processOf(n8n, time)];
    const work = async (): Promise<void> => {
      expect(await item.byHand('')).toBe('otp_sent');
      const login = item.byHand(n8n.service.inbox.at(-1) ?? '');
      await time.sleep(ms);
      await other.stop();
      expect(await login).toBe('logged_in');
    };
    await time.run(work());
    expect(n8n.stored).toMatchObject({ tradingStopped: true, loginClaim: '' });
  },
);

it('two that stop at the same moment both succeed', async () => {
  const time = new VirtualTime();
  const n8n = new OldN8n(fields({ tradingStopped: false }), time);
  const [item, other] = [processOf(n8n, time), processOf(n8n, time)];
  await time.run(Promise.all([item.stop(), other.stop()]));
  expect(n8n.stored).toMatchObject({ tradingStopped: true, loginClaim: '' });
});
