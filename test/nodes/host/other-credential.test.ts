/**
 * A second user of the same n8n. Their credential goes to their machine, and they test it with guesses in every field
 * that they can write, at every moment at which something is handed over for the owner's credential: nothing of the
 * owner comes to them.
 */
import fc from 'fast-check';
import type {
  ICredentialDataDecryptedObject,
  IDataObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { BrokerageApi } from '../../../credentials/BrokerageApi.credentials';
import { authenticatedHttp, logInByHand, stopTrading, storeOf, storeTotpSecret } from '../../../nodes/host/http';
import { BASE, MPIN, PHONE, SECRET } from '../../support/login-service';
import { fields, OldN8n } from '../../support/old-n8n';
import { IS_WHOLE } from '../../support/sample';
import { clock } from '../../support/virtual-clock';
import type { VirtualTime } from '../../support/virtual-time';

jest.mock('../../../nodes/host/clock', () => jest.requireActual('../../support/virtual-clock'));

const GUESSES = IS_WHOLE ? 20_000 : 250;
const FOREIGN = 'https://foreign.example';
const GENERATED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const type = new BrokerageApi();
/** Every field that the user or the database can hold, and names that were or might be read. */
const NAMES = [...type.properties.map(({ name }) => name), 'renewal', 'unattended', 'ticket', 'key', 'proof', 'id'];

/** All that came to the second user: what was sent to their machine, and what n8n would store in their credential. */
const arrived: string[] = [];
const theirHelper = {
  helpers: {
    httpRequest: async (options: IHttpRequestOptions) => {
      arrived.push(JSON.stringify(options));
      return { statusCode: 200, headers: {}, body: (async function* () {})() };
    },
  },
} as unknown as IHttpRequestHelper;

/** As n8n tests a credential. */
async function testTheirs(guess: IDataObject): Promise<void> {
  const credential = {
    ...fields({ liveBaseUrl: FOREIGN, loginMethod: 'sessionToken', pastedToken: 'a.b.c', deviceId: 'n8n' }),
    ...guess,
  } as ICredentialDataDecryptedObject;
  const request = { method: 'GET', baseURL: FOREIGN, url: '/userinfo' } as const;
  // n8n takes a credential with a session past the login step.
  const [past] = await Promise.allSettled([type.authenticate({ ...credential }, { ...request })]);
  if (past.status === 'fulfilled') arrived.push(JSON.stringify(past.value));
  const [given] = await Promise.allSettled([type.preAuthentication.call(theirHelper, credential)]);
  if (given.status === 'rejected') return;
  arrived.push(JSON.stringify(given.value));
  Object.assign(credential, given.value);
  const [signed] = await Promise.allSettled([type.authenticate(credential, request)]);
  if (signed.status === 'fulfilled') arrived.push(JSON.stringify(signed.value));
}

const askWho = async ({ context }: OldN8n) =>
  await authenticatedHttp(
    context,
    storeOf(context, new Set()),
  )({ method: 'GET', url: `${BASE}/userinfo`, headers: {}, timeoutMs: 1_000 });

/** Actions of the owner. Each hands something over. */
const OWNER: Record<string, (n8n: OldN8n) => Promise<unknown>> = {
  'logs in and renews': async (n8n) => {
    await askWho(n8n);
    n8n.service.kill();
    await askWho(n8n);
  },
  'stops trading': async (n8n) => {
    await askWho(n8n);
    await stopTrading(n8n.context, storeOf(n8n.context, new Set()));
  },
  'stores a generated TOTP secret': async (n8n) => {
    await askWho(n8n);
    await storeTotpSecret(n8n.context, GENERATED);
  },
  'logs in by OTP': async (n8n) => {
    await logInByHand(n8n.context, '');
    await logInByHand(n8n.context, n8n.service.inbox.at(-1) ?? '');
  },
};

const wayOf = (what: string) => (what === 'logs in by OTP' ? { loginMethod: 'otp', otp: '', sendOtpAgain: false } : {});

/**
 * Values that such a field can hold: former tickets, claims, placeholders for credentials, and other kinds of values.
 */
const values = fc.oneof(
  fc.nat(60).map((number) => `ticket ${number}`),
  fc.nat(60),
  fc.nat(60).map((number) => `claim ${number.toString(36)}-${number}`),
  fc.constantFrom('credential one', 'one', 'kept', '', '[object Object]', 'constructor', '__proto__'),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 }),
  fc.constantFrom<unknown>(null, true, [], {}, { step: 'login' }, ['ticket 1'], { key: 'ticket 1' }),
);

it.each(Object.keys(OWNER))(
  `the owner %s: nothing arrives at whoever guesses in every field at each moment`,
  async (what) => {
    const guesses = fc.sample(fc.tuple(fc.constantFrom(...NAMES), values), { numRuns: GUESSES, seed: 37 });
    const n8n = new OldN8n(
      fields({ ...wayOf(what), sessionToken: '', tradingStopped: false }) as ICredentialDataDecryptedObject,
      clock as unknown as VirtualTime,
    );
    const secrets = new Set([MPIN, SECRET, GENERATED].map((secret) => `"${secret}"`));
    const note = () => {
      const { sessionToken, authToken, tempToken, mark } = n8n.stored;
      for (const value of [sessionToken, authToken, tempToken, mark])
        // Until the first login the mark of a credential is its id, which is no secret.
        if (typeof value === 'string' && value !== '' && !value.startsWith('credential ')) secrets.add(value);
    };
    let tried = 0;
    n8n.meanwhile = async () => {
      note();
      // Each moment gets a share of the guesses, and the usual one each time.
      for (let count = 0; count < 25; count++) {
        const [name, value] = guesses[tried++ % guesses.length]!;
        await testTheirs({ [name]: value } as IDataObject);
      }
      for (let number = 0; number < 25; number++) await testTheirs({ loginClaim: `ticket ${number}` });
    };
    await OWNER[what]!(n8n);
    note();
    expect(tried).toBeGreaterThanOrEqual(100);
    expect(arrived.length).toBeGreaterThan(0);
    const owned = arrived.filter((text) => [...secrets].some((secret) => text.includes(secret)));
    expect(owned).toEqual([]);
    expect(arrived.filter((text) => text.includes(PHONE) && !text.includes(FOREIGN))).toEqual([]);
  },
);
