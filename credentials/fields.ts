/** Fields of the credential: those for the user, except the limits of orders (orderFields.ts), and n8n's hidden ones. */
import type { INodeProperties } from 'n8n-workflow';

/** The service to use. */
export const environmentFields: INodeProperties[] = [
  {
    displayName: 'Environment',
    name: 'environment',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Live', value: 'live', description: 'The real exchange and real money' },
      {
        name: 'Sandbox',
        value: 'sandbox',
        description: 'The simulated broker and exchange that come with this package',
      },
      { name: 'UAT', value: 'uat', description: "The broker's own test environment with virtual money" },
    ],
    default: 'sandbox',
  },
  {
    displayName: 'Live Base Address',
    name: 'liveBaseUrl',
    type: 'string',
    noDataExpression: true,
    default: '',
    placeholder: 'e.g. https://api.example.com',
    description: "The address of your broker's live service. It must begin with https.",
    displayOptions: { show: { environment: ['live'] } },
  },
  {
    displayName: 'UAT Base Address',
    name: 'uatBaseUrl',
    type: 'string',
    noDataExpression: true,
    default: '',
    placeholder: 'e.g. https://uat-api.example.com',
    description: "The address of your broker's test service. It must begin with https.",
    displayOptions: { show: { environment: ['uat'] } },
  },
  {
    displayName: 'Sandbox Base Address',
    name: 'sandboxBaseUrl',
    type: 'string',
    noDataExpression: true,
    default: 'http://127.0.0.1:8787',
    description: 'The address at which brokerage-sandbox runs. Plain http is allowed only on this machine.',
    displayOptions: { show: { environment: ['sandbox'] } },
  },
  {
    displayName: 'Allow Live Orders',
    name: 'allowLiveOrders',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description:
      'Whether workflows with this credential may place, modify and cancel orders with real money. While off, everything else works and orders are refused.',
    displayOptions: { show: { environment: ['live'] } },
  },
  {
    displayName: 'Check Static IP',
    name: 'checkStaticIp',
    type: 'boolean',
    noDataExpression: true,
    default: true,
    description:
      'Whether to ask, before the first order of the day, if the address of this machine is registered with your broker. If another one is, the order is not sent, and the error names both.',
    displayOptions: { show: { environment: ['live'] } },
  },
];

/** The login to it. */
export const loginFields: INodeProperties[] = [
  {
    displayName: 'Login Method',
    name: 'loginMethod',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Institutional (Username and Password)',
        value: 'institutional',
        description: 'The login of institutions, with the codes that your broker has given you; logs in automatically',
      },
      {
        name: 'OTP to the Phone',
        value: 'otp',
        description: 'You enter the OTP from a text message here, about once a day',
      },
      {
        name: 'Session Token',
        value: 'sessionToken',
        description: 'You paste a token from elsewhere; it is valid for some hours',
      },
      { name: 'TOTP (Unattended)', value: 'totp', description: 'Logs in automatically whenever needed' },
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
    displayName: 'Exchange Client Code',
    name: 'exchangeClientCode',
    type: 'string',
    default: '',
    description: 'The code under which the exchange knows you, as your broker has given it to you',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'Client Code',
    name: 'clientCode',
    type: 'string',
    default: '',
    description: 'The code under which your broker knows you',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'Username',
    name: 'username',
    type: 'string',
    default: '',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'Password',
    name: 'password',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description: 'It is sent once: a refusal stops every further attempt until you change the credential',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'MPIN',
    name: 'mpin',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description: 'The PIN that you use to sign in to your broker',
    displayOptions: { show: { loginMethod: ['institutional', 'otp', 'totp'] } },
  },
  {
    displayName: 'TOTP Secret',
    name: 'totpSecret',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description:
      'The secret that your broker shows when TOTP is set up (not the six-digit code). Leave empty to use the one that "TOTP: Generate Secret" stored.',
    displayOptions: { show: { loginMethod: ['totp'] } },
  },
  {
    displayName: 'OTP',
    name: 'otp',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description:
      'Leave empty and save to get an OTP on your phone. n8n then shows that it could not connect, which is expected. Enter the OTP here and save again. It is used once and then removed.',
    displayOptions: { show: { loginMethod: ['otp'] } },
  },
  {
    displayName: 'Send OTP Again',
    name: 'sendOtpAgain',
    type: 'boolean',
    default: false,
    noDataExpression: true,
    description:
      'Whether to send another OTP when you save, because none has arrived. The earlier OTP stops working. This is done once and then switched off.',
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
    noDataExpression: true,
    default: 'n8n',
    description:
      'A name of your choice for this installation, sent with every request. For a pasted session token, enter the Device ID that the token was created with.',
  },
];

/** Further hosts to which the trigger may take the session. */
export const streamFields: INodeProperties[] = [
  {
    displayName: 'Further Stream Hosts',
    name: 'streamHosts',
    type: 'string',
    noDataExpression: true,
    default: '',
    placeholder: 'e.g. stream.example.net',
    description:
      'Other hosts that the trigger may connect to with your session token, separated by commas. Needed only if the stream is not on the domain and port of the base address. Add the port if it differs, such as stream.example.net:9443.',
  },
];

/** Result of a login: n8n stores the login step's values under these names. */
export const storedFields: INodeProperties[] = [
  { displayName: 'Mark', name: 'mark', type: 'hidden', typeOptions: { password: true }, default: '' },
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
    displayName: 'Generated TOTP Secret',
    name: 'generatedTotpSecret',
    type: 'hidden',
    typeOptions: { password: true },
    default: '',
  },
  {
    displayName: 'Claim of a Login',
    name: 'loginClaim',
    type: 'hidden',
    typeOptions: { password: true },
    default: '',
  },
  {
    displayName: 'Lock of Positions',
    name: 'positionLock',
    type: 'hidden',
    typeOptions: { password: true },
    default: '',
  },
  {
    displayName: 'Tested Settings',
    name: 'testedSettings',
    type: 'hidden',
    typeOptions: { password: true },
    default: '',
  },
  { displayName: 'Login State', name: 'loginState', type: 'hidden', typeOptions: { password: true }, default: '' },
];
