/**
 * The fields of the credential that decide where secrets go and what orders may be. Each takes a fixed value only: an expression would
 * let data decide, and one that finds nothing would switch a limit off. n8n does not resolve an expression in such a field
 * (`noDataExpression`) and hands over its text. It does resolve one inside a list, and older ones resolve all, before anybody here sees
 * it; there the effect counts: the values must be what they are where there is no data.
 */
import { InputError } from '../base/errors';
import { showValue } from '../values/input';
import type { CredentialFields } from './settings';

type Kind = 'list' | 'number' | 'switch' | 'text';

const KINDS: Readonly<Record<Kind, { words: string; holds: (value: unknown) => boolean }>> = {
  list: {
    words: 'chosen from its list',
    holds: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  },
  number: { words: 'a number', holds: (value) => typeof value === 'number' && Number.isFinite(value) },
  switch: { words: 'on or off', holds: (value) => typeof value === 'boolean' },
  text: { words: 'text', holds: (value) => typeof value === 'string' && !/^\s*=|\{\{/.test(value) },
};

/** Label and kind of each, by internal name. Secrets and what names the account are not among them: external secrets are expressions. */
export const FIXED_CREDENTIAL_FIELDS: Readonly<Record<string, { label: string; kind: Kind }>> = {
  environment: { label: 'Environment', kind: 'text' },
  liveBaseUrl: { label: 'Live Base Address', kind: 'text' },
  uatBaseUrl: { label: 'UAT Base Address', kind: 'text' },
  sandboxBaseUrl: { label: 'Sandbox Base Address', kind: 'text' },
  allowLiveOrders: { label: 'Allow Live Orders', kind: 'switch' },
  loginMethod: { label: 'Login Method', kind: 'text' },
  deviceId: { label: 'Device ID', kind: 'text' },
  orderInterface: { label: 'Order Interface', kind: 'text' },
  ordersPerSecond: { label: 'Orders per Second', kind: 'number' },
  checkStaticIp: { label: 'Check Static IP', kind: 'switch' },
  dryRun: { label: 'Dry Run', kind: 'switch' },
  limitOrders: { label: 'Limit Orders', kind: 'switch' },
  maxQuantity: { label: 'Largest Quantity', kind: 'number' },
  maxOrderValue: { label: 'Largest Order Value (Rupees)', kind: 'number' },
  maxDayValue: { label: 'Largest Day Value (Rupees)', kind: 'number' },
  maxPriceDistance: { label: 'Largest Distance From Last Price (%)', kind: 'number' },
  allowedExchanges: { label: 'Allowed Exchanges', kind: 'list' },
  allowedProducts: { label: 'Allowed Products', kind: 'list' },
  allowedInstruments: { label: 'Allowed Instruments', kind: 'text' },
  refuseUnauthorisedSales: { label: 'Refuse Unauthorised Sales', kind: 'switch' },
  marketHoursOnly: { label: 'Market Hours Only', kind: 'switch' },
  streamHosts: { label: 'Further Stream Hosts', kind: 'text' },
};

/** @throws InputError that names the field whose value is none of its kind: an expression that found nothing, or was made elsewhere. */
export function requireFixedKinds(fields: CredentialFields): void {
  for (const [name, { label, kind }] of Object.entries(FIXED_CREDENTIAL_FIELDS)) {
    if (!(name in fields) || KINDS[kind].holds(fields[name])) continue;
    throw new InputError(
      `${label} in the credential must be ${KINDS[kind].words}, but is ${showValue(fields[name])}.`,
      {
        parameter: name,
        hint: 'Open the credential, enter a fixed value (no expression) and save. Nothing was sent.',
      },
    );
  }
}

/** Returns the values of these fields as text, to be stored when the credential is tested. */
export function testedSettingsOf(fields: CredentialFields): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.keys(FIXED_CREDENTIAL_FIELDS).flatMap((name) => (name in fields ? [[name, fields[name]]] : [])),
    ),
  );
}

/** Returns true if the credential was tested since the tested settings are stored. */
export function hasTestedSettings(fields: CredentialFields): boolean {
  return typeof fields.testedSettings === 'string' && fields.testedSettings !== '';
}

/** @throws InputError that names the first field whose value is not what it was when the credential was tested. */
export function requireTestedSettings(fields: CredentialFields): void {
  if (!hasTestedSettings(fields)) return;
  const tested = JSON.parse(String(fields.testedSettings)) as CredentialFields;
  const name = firstDifference(tested, fields);
  if (name === undefined) return;
  throw new InputError(`${labelOf(name)} is not what it was when the credential was last tested.`, {
    parameter: name,
    hint: 'Open the credential, enter a fixed value (no expression) and save, which tests it. Nothing was sent.',
  });
}

/**
 * @param withoutData the same credential, resolved where there is no item; undefined if that fails.
 * @throws InputError that names the first field that data decides.
 */
export function requireSameWithoutData(fields: CredentialFields, withoutData: CredentialFields | undefined): void {
  const name = withoutData === undefined ? undefined : firstDifference(fields, withoutData);
  if (withoutData !== undefined && name === undefined) return;
  const which = name === undefined ? listsIn(fields) : labelOf(name);
  throw new InputError(
    `${which} of the credential is an expression that takes its value from the data of the workflow.`,
    {
      ...(name === undefined ? {} : { parameter: name }),
      hint: 'Open the credential, enter a fixed value (no expression) and save. Nothing was sent.',
    },
  );
}

/** The fields that n8n takes expressions in all the same, which have some entry. */
function listsIn(fields: CredentialFields): string {
  const lists = Object.entries(FIXED_CREDENTIAL_FIELDS).filter(
    ([name, { kind }]) => kind === 'list' && (fields[name] as unknown[] | undefined)?.length,
  );
  return lists.map(([, { label }]) => label).join(' or ') || 'A field';
}

const labelOf = (name: string): string => FIXED_CREDENTIAL_FIELDS[name]?.label ?? name;

function firstDifference(readonly: CredentialFields, other: CredentialFields): string | undefined {
  return Object.keys(FIXED_CREDENTIAL_FIELDS).find(
    (name) => name in readonly && name in other && JSON.stringify(readonly[name]) !== JSON.stringify(other[name]),
  );
}
