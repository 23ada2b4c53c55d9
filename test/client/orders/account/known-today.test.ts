/** Memory of today's placements, against a list that may show other tags than were sent. */
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { DayPlacement } from '../../../../client/orders/account/placed-today';
import { changedTags, knownToday, recordsByIdentity } from '../../../../client/orders/account/known-today';
import { market } from '../support';

const IDENTITY = 'abcdefghijkl';
const placed = (id: string, identity = IDENTITY, noun: DayPlacement['noun'] = 'order'): DayPlacement => ({
  noun,
  id,
  identity,
});
const listed = (...records: [id: string, tag: string | null][]): Map<string, OrderRecord> =>
  new Map(records.map(([id, tag]) => [id, { order_id: id, tag } as OrderRecord]));

it('is of one kind, from this process and from n8n', () => {
  const { context } = market();
  const all = [placed('5'), placed('6', IDENTITY, 'basket')];
  const placedToday = { all: () => all, unlisted: () => [], add: () => undefined };
  expect(knownToday({ ...context, placedToday }, 'order')).toEqual([placed('5')]);
  expect(knownToday({ ...context, placedToday }, 'basket')).toEqual([placed('6', IDENTITY, 'basket')]);
  expect(knownToday(context, 'order')).toEqual([]);
});

it('finds a record by the id that is remembered, and none for an unknown tag or one that is not listed', () => {
  const byId = listed(['5', 'x'], ['6', 'y']);
  const found = recordsByIdentity([placed('5'), placed('6', ''), placed('7', 'mnopqrstuvwx')], byId);
  expect([...found]).toEqual([[IDENTITY, { order_id: '5', tag: 'x' }]]);
});

it.each<[string, string | null, string, boolean]>([
  ['the same tag', IDENTITY, IDENTITY, false],
  ['the same tag behind a label', `mine-${IDENTITY}`, IDENTITY, false],
  ['blanks and capitals around the same tag', ` ${IDENTITY.toUpperCase()} `, IDENTITY, false],
  ['a part of the tag', 'abcdef', IDENTITY, true],
  ['other words', 'shown by the service', IDENTITY, true],
  ['no tag', null, IDENTITY, false],
  ['a blank', '  ', IDENTITY, false],
  ['another tag of ours', 'mnopqrstuvwx', IDENTITY, false],
  ['another tag for one that the person wrote', 'other', 'mine', false],
])('a record that shows %s has a changed tag or not', (_, shown, identity, isChanged) => {
  const changed = changedTags([placed('5', identity)], listed(['5', shown]));
  expect(changed).toEqual(isChanged ? [{ sent: identity, shown, id: '5' }] : []);
});

it('an order that the list lacks has no changed tag', () => {
  expect(changedTags([placed('5')], listed(['6', 'x']))).toEqual([]);
});
