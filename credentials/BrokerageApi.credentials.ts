import type {
  ICredentialDataDecryptedObject,
  ICredentialTestRequest,
  ICredentialType,
  IDataObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { BrokerageError, SessionError } from '../client/errors';
import { StoredOnly, isKept, renewalIn } from '../client/session/keeper';
import { Sessions } from '../client/session/sessions';
import { readSettings, readState } from '../client/session/settings';
import { signedHeaders } from '../client/session/sign';
import { clock } from '../nodes/shared/clock';
import { plainHttp } from '../nodes/shared/http';

/** One for the process: executions that need a session at the same moment share one login. */
const sessions = new Sessions(clock);

/** Sessions that the login step has just made or found alive, with how many requests are to be signed with each. */
const lookedAt = new Map<string, number>();

/**
 * A stored session that the login step has not looked at: it may be dead, or belong to what was entered before. n8n takes
 * an error of this shape for a refused session: it runs the login step and signs the request again.
 */
class NotLookedAt extends SessionError {
  readonly response = { status: 401 };
}

/** Lets one request be signed for each time that the login step looked at the session. */
function requireLookedAt(sessionToken: string): void {
  const times = lookedAt.get(sessionToken) ?? 0;
  if (times === 0 && sessionToken !== '')
    throw new NotLookedAt('The stored session is not known to be alive.', { hint: 'Save the credential once more.' });
  if (times <= 1) lookedAt.delete(sessionToken);
  else lookedAt.set(sessionToken, times - 1);
}

/**
 * The error as n8n's credential form can show it: the form has room for the message only, and n8n would take an error
 * with a status for a failed request.
 */
function forTheForm(error: unknown): unknown {
  return error instanceof BrokerageError && !(error instanceof StoredOnly) && !(error instanceof NotLookedAt)
    ? new SessionError([error.message, error.hint].filter(Boolean).join(' '), {
        ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
      })
    : error;
}

export class BrokerageApi implements ICredentialType {
  name = 'brokerageApi';

  displayName = 'Brokerage API';

  icon = { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' } as const;

  documentationUrl = 'https://github.com/n8n-nodes-brokerage/n8n-nodes-brokerage/blob/main/docs/login.md';

  restrictToSupportedNodes = true as const;

  properties: INodeProperties[] = [
    {
      displayName: 'Environment',
      name: 'environment',
      type: 'options',
      options: [
        { name: 'Live', value: 'live', description: 'The real exchange and real money' },
        { name: 'Sandbox', value: 'sandbox', description: 'The simulated service that comes with this package' },
        { name: 'UAT', value: 'uat', description: "The broker's own test environment with virtual money" },
      ],
      default: 'sandbox',
    },
    {
      displayName: 'Live Base Address',
      name: 'liveBaseUrl',
      type: 'string',
      default: '',
      placeholder: 'e.g. https://api.example.com',
      description: "The address of your broker's live service. It must begin with https.",
      displayOptions: { show: { environment: ['live'] } },
    },
    {
      displayName: 'UAT Base Address',
      name: 'uatBaseUrl',
      type: 'string',
      default: '',
      placeholder: 'e.g. https://uat-api.example.com',
      description: "The address of your broker's test service. It must begin with https.",
      displayOptions: { show: { environment: ['uat'] } },
    },
    {
      displayName: 'Sandbox Base Address',
      name: 'sandboxBaseUrl',
      type: 'string',
      default: 'http://127.0.0.1:8787',
      description: 'The address at which brokerage-sandbox runs. Plain http is allowed only on this machine.',
      displayOptions: { show: { environment: ['sandbox'] } },
    },
    {
      displayName: 'Allow Live Orders',
      name: 'allowLiveOrders',
      type: 'boolean',
      default: false,
      description:
        'Whether workflows with this credential may place, modify and cancel orders with real money. While off, everything else works and orders are refused.',
      displayOptions: { show: { environment: ['live'] } },
    },
    {
      displayName: 'Login Method',
      name: 'loginMethod',
      type: 'options',
      options: [
        {
          name: 'OTP to the Phone',
          value: 'otp',
          description: 'You enter the code of a text message here, about once a day',
        },
        {
          name: 'Session Token',
          value: 'sessionToken',
          description: 'You paste a token that you got elsewhere; it lives for some hours',
        },
        { name: 'TOTP (Unattended)', value: 'totp', description: 'Logs in by itself, whenever it must' },
      ],
      default: 'totp',
    },
    {
      displayName: 'Phone',
      name: 'phone',
      type: 'string',
      default: '',
      placeholder: 'e.g. 9000000001',
      description: 'The phone number that is registered with your broker',
      displayOptions: { show: { loginMethod: ['otp', 'totp'] } },
    },
    {
      displayName: 'MPIN',
      name: 'mpin',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'The PIN with which you sign in to your broker',
      displayOptions: { show: { loginMethod: ['otp', 'totp'] } },
    },
    {
      displayName: 'TOTP Secret',
      name: 'totpSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'The secret that your broker shows when TOTP is set up (not the six-digit code)',
      displayOptions: { show: { loginMethod: ['totp'] } },
    },
    {
      displayName: 'OTP',
      name: 'otp',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Leave empty and save: an OTP is sent to your phone (n8n says that it could not connect, and "More details" says why). Enter it here and save again. It is used once and then removed.',
      displayOptions: { show: { loginMethod: ['otp'] } },
    },
    {
      displayName: 'Session Token',
      name: 'pastedToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'The session token, with or without "Bearer" in front',
      displayOptions: { show: { loginMethod: ['sessionToken'] } },
    },
    {
      displayName: 'Device ID',
      name: 'deviceId',
      type: 'string',
      default: 'n8n',
      description:
        'A name of your choice for this installation, sent with every request. With a pasted session token: the name that it was got with.',
    },
    {
      displayName: 'Dry Run',
      name: 'dryRun',
      type: 'boolean',
      default: false,
      description:
        'Whether orders, changes and cancellations are only checked and shown, exactly as they would be sent, but never sent',
    },
    {
      displayName: 'Limit Orders',
      name: 'limitOrders',
      type: 'boolean',
      default: false,
      description: 'Whether orders are checked against limits of your own before anything is sent',
    },
    {
      displayName: 'Largest Quantity',
      name: 'maxQuantity',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 0,
      description: 'The largest quantity of one order, in shares or contracts. 0 means no limit.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Largest Order Value (Rupees)',
      name: 'maxOrderValue',
      type: 'number',
      typeOptions: { minValue: 0, numberPrecision: 2 },
      default: 0,
      description:
        'The largest quantity × price of one order. A market order counts at the last price. 0 means no limit.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Largest Day Value (Rupees)',
      name: 'maxDayValue',
      type: 'number',
      typeOptions: { minValue: 0, numberPrecision: 2 },
      default: 0,
      description:
        'The largest sum of quantity × price over all orders of the trading day, whoever placed them, the new one included. 0 means no limit.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Largest Distance From Last Price (%)',
      name: 'maxPriceDistance',
      type: 'number',
      typeOptions: { minValue: 0, numberPrecision: 2 },
      default: 0,
      description: 'How far the price of a limit order may be from the last traded price. 0 means no limit.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Allowed Exchanges',
      name: 'allowedExchanges',
      type: 'multiOptions',
      options: [
        { name: 'BSE', value: 'BSE' },
        { name: 'MCX', value: 'MCX' },
        { name: 'NSE', value: 'NSE' },
      ],
      default: [],
      description: 'Orders go to these exchanges only. None chosen means all.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Allowed Products',
      name: 'allowedProducts',
      type: 'multiOptions',
      options: [
        { name: 'Delivery (CNC)', value: 'CNC' },
        { name: 'Intraday (IDAY)', value: 'IDAY' },
      ],
      default: [],
      description: 'Orders are of these products only. None chosen means all.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Allowed Instruments',
      name: 'allowedInstruments',
      type: 'string',
      default: '',
      placeholder: 'e.g. INFY, TCS, NIFTY',
      description:
        'Trading symbols or underlyings, separated by commas. An underlying allows its futures and options too. Empty means all.',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Market Hours Only',
      name: 'marketHoursOnly',
      type: 'boolean',
      default: false,
      description: 'Whether orders are sent only while the exchange trades continuously',
      displayOptions: { show: { limitOrders: [true] } },
    },
    {
      displayName: 'Further Stream Hosts',
      name: 'streamHosts',
      type: 'string',
      default: '',
      placeholder: 'e.g. stream.example.net',
      description:
        'Host names, separated by commas, to which the trigger may take the session token although they are not on the domain of the base address; with their port where it is another, such as stream.example.net:9443. Usually empty.',
    },
    {
      displayName: 'Session Token',
      name: 'sessionToken',
      type: 'hidden',
      typeOptions: { expirable: true, password: true },
      default: '',
    },
    { displayName: 'Auth Token', name: 'authToken', type: 'hidden', typeOptions: { password: true }, default: '' },
    { displayName: 'Temporary Token', name: 'tempToken', type: 'hidden', typeOptions: { password: true }, default: '' },
    {
      displayName: 'Claim of a Login',
      name: 'loginClaim',
      type: 'hidden',
      typeOptions: { password: true },
      default: '',
    },
    { displayName: 'Login State', name: 'loginState', type: 'hidden', typeOptions: { password: true }, default: '' },
  ];

  /**
   * Gives n8n a living session, which n8n stores. What must be remembered when there is none (a refused MPIN, a sent
   * code, an OTP under way) is stored as well; `authenticate` then says why no request can be made.
   */
  async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
    const renewal = renewalIn(credentials);
    if (renewal?.step === 'claim') return { sessionToken: renewal.sessionToken, loginClaim: renewal.claim };
    try {
      const settings = readSettings(credentials);
      const { state } = await sessions.obtain(plainHttp(this), settings, readState(credentials));
      if (state.sessionToken !== '') lookedAt.set(state.sessionToken, (lookedAt.get(state.sessionToken) ?? 0) + 1);
      return { ...state, loginClaim: '', ...(settings.method === 'otp' ? { otp: '' } : {}) };
    } catch (error) {
      throw forTheForm(error);
    }
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    try {
      const { baseURL, url } = requestOptions;
      const address = baseURL === undefined ? url : `${baseURL.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
      const renewal = renewalIn(credentials);
      if (renewal?.step === 'claim') throw new StoredOnly('The claim is stored.');
      if (!isKept(credentials)) requireLookedAt(readState(credentials).sessionToken);
      requestOptions.headers = { ...requestOptions.headers, ...signedHeaders(credentials, address) };
      if (renewal !== undefined) throw new StoredOnly('The session is stored.');
      return requestOptions;
    } catch (error) {
      throw forTheForm(error);
    }
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials[$credentials.environment + "BaseUrl"].trim() }}',
      url: '/userinfo',
      disableFollowRedirect: true,
    },
    rules: [
      {
        type: 'responseCode',
        properties: {
          value: 401,
          message: 'The service does not accept this session token, or it was got with another Device ID. Log in anew.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 440,
          message: 'The service does not accept this session token, or it was got with another Device ID. Log in anew.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 403,
          message:
            'Logged in, but this account may not use the order system, or the address of this machine (its static IP) is not registered with the broker.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 404,
          message:
            'Something answers at the base address, but it is not the brokerage service. Check the base address.',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 429,
          message: 'Logged in, but the service gets too many requests from here just now. Try again in a minute.',
        },
      },
    ],
  };
}
