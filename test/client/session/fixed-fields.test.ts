import {
  FIXED_CREDENTIAL_FIELDS,
  hasTestedSettings,
  requireFixedKinds,
  requireSameWithoutData,
  requireTestedSettings,
  testedSettingsOf,
} from '../../../client/session/fixed-fields';
import { refusal } from '../../support/refusal';

const HINT = 'Open the credential, enter a fixed value (no expression) and save';
it('the fixed fields decide where secrets go and what orders may be, and hold no secret', () => {
  expect(Object.fromEntries(Object.entries(FIXED_CREDENTIAL_FIELDS).map(([name, { label }]) => [name, label]))).toEqual(
    {
      environment: 'Environment',
      liveBaseUrl: 'Live Base Address',
      uatBaseUrl: 'UAT Base Address',
      sandboxBaseUrl: 'Sandbox Base Address',
      allowLiveOrders: 'Allow Live Orders',
      loginMethod: 'Login Method',
      deviceId: 'Device ID',
      orderInterface: 'Order Interface',
      ordersPerSecond: 'Orders per Second',
      checkStaticIp: 'Check Static IP',
      dryRun: 'Dry Run',
      limitOrders: 'Limit Orders',
      maxQuantity: 'Largest Quantity',
      maxOrderValue: 'Largest Order Value (Rupees)',
      maxDayValue: 'Largest Day Value (Rupees)',
      maxPriceDistance: 'Largest Distance From Last Price (%)',
      allowedExchanges: 'Allowed Exchanges',
      allowedProducts: 'Allowed Products',
      allowedInstruments: 'Allowed Instruments',
      refuseUnauthorisedSales: 'Refuse Unauthorised Sales',
      marketHoursOnly: 'Market Hours Only',
      streamHosts: 'Further Stream Hosts',
    },
  );
});

describe("the kind of a field's value", () => {
  it.each([
    ['maxQuantity', '5', 'Largest Quantity in the credential must be a number, but is "5".'],
    ['maxQuantity', null, 'Largest Quantity in the credential must be a number, but is null.'],
    ['maxOrderValue', NaN, 'Largest Order Value (Rupees) in the credential must be a number, but is NaN.'],
    ['maxDayValue', Infinity, 'Largest Day Value (Rupees) in the credential must be a number, but is Infinity.'],
    ['dryRun', 'true', 'Dry Run in the credential must be on or off, but is "true".'],
    ['dryRun', undefined, 'Dry Run in the credential must be on or off, but is undefined.'],
    ['allowedExchanges', 'NSE', 'Allowed Exchanges in the credential must be chosen from its list, but is "NSE".'],
    ['allowedProducts', ['IDAY', 1], 'Allowed Products in the credential must be chosen from its list, but is a list.'],
    ['allowedInstruments', ['INFY'], 'Allowed Instruments in the credential must be text, but is a list.'],
    ['streamHosts', '=a.example', 'Further Stream Hosts in the credential must be text, but is "=a.example".'],
    ['streamHosts', '  =a.example', 'Further Stream Hosts in the credential must be text, but is "  =a.example".'],
    ['liveBaseUrl', '{{ $json.x }}', 'Live Base Address in the credential must be text, but is "{{ $json.x }}".'],
  ])('is refused for %s: %j', (name, value, message) => {
    const refused = refusal(() => requireFixedKinds({ [name]: value }));
    expect(refused).toMatchObject({ message, parameter: name, hint: `${HINT}. Nothing was sent.` });
  });

  it.each([
    ['maxQuantity', 0],
    ['dryRun', false],
    ['allowedExchanges', []],
    ['allowedExchanges', ['NSE', 'BSE']],
    ['allowedInstruments', ''],
    ['liveBaseUrl', 'https://a.example/?x=1'],
  ])('is right for %s: %j', (name, value) => {
    expect(() => requireFixedKinds({ [name]: value })).not.toThrow();
  });

  it('is not checked for a field that is missing, or is none of these', () => {
    expect(() => requireFixedKinds({ phone: 7, mpin: '={{ $vars.mpin }}' })).not.toThrow();
  });
});

describe('what was tested', () => {
  const tested = { maxQuantity: 5, allowedExchanges: ['NSE'], mpin: '1357' };

  it('is kept without any secret, and only the fields that are there', () => {
    expect(JSON.parse(testedSettingsOf(tested))).toEqual({ maxQuantity: 5, allowedExchanges: ['NSE'] });
  });

  it.each([
    ['', false],
    [undefined, false],
    [7, false],
    ['{}', true],
  ])('is known or not: %j', (testedSettings, isKnown) => expect(hasTestedSettings({ testedSettings })).toBe(isKnown));

  it('must equal what is used', () => {
    const testedSettings = testedSettingsOf(tested);
    expect(() => requireTestedSettings({ ...tested, testedSettings })).not.toThrow();
    expect(() => requireTestedSettings({ ...tested, mpin: '2468', dryRun: true, testedSettings })).not.toThrow();
    expect(refusal(() => requireTestedSettings({ ...tested, maxQuantity: 50, testedSettings }))).toMatchObject({
      message: 'Largest Quantity is not what it was when the credential was last tested.',
      parameter: 'maxQuantity',
      hint: `${HINT}, which tests it. Nothing was sent.`,
    });
    expect(() => requireTestedSettings({ ...tested, allowedExchanges: ['NSE', 'BSE'], testedSettings })).toThrow(
      'Allowed Exchanges is not what it was',
    );
  });

  it('is not asked for where the credential was never tested', () => {
    expect(() => requireTestedSettings(tested)).not.toThrow();
  });
});

describe('what data decides', () => {
  const SAYS = 'of the credential is an expression that takes its value from the data of the workflow.';

  it('is refused by the name of the first field that differs without data', () => {
    const fields = { maxQuantity: 5, allowedExchanges: ['NSE'] };
    expect(() => requireSameWithoutData(fields, { ...fields, phone: 'other' })).not.toThrow();
    expect(refusal(() => requireSameWithoutData(fields, { ...fields, allowedExchanges: [] }))).toMatchObject({
      message: `Allowed Exchanges ${SAYS}`,
      parameter: 'allowedExchanges',
      hint: `${HINT}. Nothing was sent.`,
    });
  });

  it.each([
    [{ allowedExchanges: ['NSE'], allowedProducts: ['IDAY'] }, 'Allowed Exchanges or Allowed Products'],
    [{ allowedExchanges: [], allowedProducts: ['IDAY'], streamHosts: 'a.example' }, 'Allowed Products'],
    [{}, 'A field'],
  ])('names the lists that have entries where it fails without data: %j', (fields, which) => {
    const refused = refusal(() => requireSameWithoutData(fields, undefined));
    expect(refused.message).toBe(`${which} ${SAYS}`);
    expect(refused.parameter).toBeUndefined();
  });
});
