/** What a person enters in the credential, and what n8n keeps hidden beside it, in the order of the form. */
import type { INodeProperties } from 'n8n-workflow';

/** Which service it is. */
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

/** How to log in to it. */
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
    noDataExpression: true,
    default: '',
    description: 'The code under which the exchange knows you, as your broker has given it to you',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'Client Code',
    name: 'clientCode',
    type: 'string',
    noDataExpression: true,
    default: '',
    description: 'The code under which your broker knows you',
    displayOptions: { show: { loginMethod: ['institutional'] } },
  },
  {
    displayName: 'Username',
    name: 'username',
    type: 'string',
    noDataExpression: true,
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

/** What orders may be. */
export const orderFields: INodeProperties[] = [
  {
    displayName: 'Trading Stopped',
    name: 'tradingStopped',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description:
      'Whether new and changed orders are refused, in every workflow with this credential. "Session: Stop Trading" switches it on; only you can switch it off. Cancelling orders and exiting positions still work.',
  },
  {
    displayName: 'Order Interface',
    name: 'orderInterface',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Automatic',
        value: 'automatic',
        description: "Finds out by reading the day's orders. If the account has both, intent orders are used.",
      },
      {
        name: 'Intent Orders',
        value: 'intent',
        description: 'The newer one: stop loss and target on the order, Good Till Date, strategies',
      },
      { name: 'Orders V2', value: 'v2', description: 'The older one, for accounts that have no other' },
    ],
    default: 'automatic',
    description: "Which of the broker's two interfaces is used to place orders and read the portfolio",
  },
  {
    displayName: 'Orders per Second',
    name: 'ordersPerSecond',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 8,
    description:
      'How many orders each n8n process sends in a second; more of them wait. The rules allow ten a second for the account, over all programs: with several workers, divide by their number.',
  },
  {
    displayName: 'Dry Run',
    name: 'dryRun',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description:
      'Whether orders, changes and cancellations are only checked and shown, exactly as they would be sent, but never sent',
  },
  {
    displayName: 'Refuse Unauthorised Sales',
    name: 'refuseUnauthorisedSales',
    type: 'boolean',
    noDataExpression: true,
    default: true,
    description:
      "Whether a sale of shares for delivery is refused, before it is sent, if you have not authorised it at the depository in your broker's app and have no DDPI. Only intent orders tell.",
  },
  {
    displayName: 'Limit Orders',
    name: 'limitOrders',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description: 'Whether orders are checked against your own limits before anything is sent',
  },
  {
    displayName: 'Largest Quantity',
    name: 'maxQuantity',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0 },
    default: 0,
    description: 'The largest quantity of one order, in shares or contracts. 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Largest Order Value (Rupees)',
    name: 'maxOrderValue',
    type: 'number',
    noDataExpression: true,
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      'The maximum order value (quantity × price; a market order counts at the last price). 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Largest Day Value (Rupees)',
    name: 'maxDayValue',
    type: 'number',
    noDataExpression: true,
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
    noDataExpression: true,
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: 0,
    description:
      'How far the price of a limit order may be from the last traded price on the side that costs money: a purchase above it, a sale below it. 0 means no limit.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Exchanges',
    name: 'allowedExchanges',
    type: 'multiOptions',
    noDataExpression: true,
    options: [
      { name: 'BSE', value: 'BSE' },
      { name: 'MCX', value: 'MCX' },
      { name: 'NSE', value: 'NSE' },
    ],
    default: [],
    description: 'Orders are allowed on these exchanges only. Choose none to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Products',
    name: 'allowedProducts',
    type: 'multiOptions',
    noDataExpression: true,
    options: [
      { name: 'Delivery (CNC)', value: 'CNC' },
      { name: 'Intraday (IDAY)', value: 'IDAY' },
    ],
    default: [],
    description: 'Only these products are allowed. Choose none to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Allowed Instruments',
    name: 'allowedInstruments',
    type: 'string',
    noDataExpression: true,
    default: '',
    placeholder: 'e.g. INFY, TCS, NIFTY',
    description:
      'Trading symbols or underlyings, separated by commas. An underlying allows its futures and options too. Leave empty to allow all.',
    displayOptions: { show: { limitOrders: [true] } },
  },
  {
    displayName: 'Market Hours Only',
    name: 'marketHoursOnly',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description: 'Whether orders are sent only while the exchange trades continuously',
    displayOptions: { show: { limitOrders: [true] } },
  },
];

/** Where the trigger may take the session beyond the service itself. */
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

/** What a login leaves behind: n8n stores what the login step returns under these names. */
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
    displayName: 'Tested Settings',
    name: 'testedSettings',
    type: 'hidden',
    typeOptions: { password: true },
    default: '',
  },
  { displayName: 'Login State', name: 'loginState', type: 'hidden', typeOptions: { password: true }, default: '' },
];
