/** A folder of `--data` that was written when baskets had a separate engine. */
import { rmSync } from 'node:fs';
import type { Sandbox } from '../../../sandbox/src';
import { booksOf, formerBooks, formerFolder, open, pass } from './former-baskets';
import { IS_WHOLE } from '../../support/sample';

describe('A folder of former code with baskets in every state', () => {
  const { then, later: all } = formerBooks();
  // A whole day takes seconds.
  const later = IS_WHOLE ? all : all.slice(0, -1);
  let folder: string;
  let sandbox: Sandbox;
  beforeAll(() => {
    folder = formerFolder();
    sandbox = open(folder);
  });
  afterAll(() => {
    sandbox.close();
    rmSync(folder, { recursive: true });
  });

  it('holds what it says', () => {
    const states = then.baskets.map(({ status, exitCause }) => `${status} ${exitCause}`);
    expect(new Set(states)).toEqual(
      new Set([
        'PENDING null',
        'OPEN null',
        'FILLED null',
        'FILLED REQUEST',
        'CLOSED TARGET',
        'CLOSED TRAILING_STOP',
        'CLOSED REQUEST',
        'CLOSED EXIT_TIME',
        'CANCELLED REQUEST',
        'CANCELLED EXIT_TIME',
        'REJECTED FAILED_ENTRY',
      ]),
    );
    expect(then.strategies).not.toEqual([]);
  });

  it('is carried out again to the same baskets, events, orders and money', () => {
    expect(booksOf(sandbox)).toEqual(then);
  });

  it.each(later)('goes on to the same $minutes minutes after its beginning', ({ minutes, books }) => {
    pass(sandbox, minutes);
    expect(booksOf(sandbox)).toEqual(books);
  });

  it('is restored from a snapshot of this code to the same', () => {
    sandbox.close();
    sandbox = open(folder);
    expect(booksOf(sandbox)).toEqual(later.at(-1)!.books);
  });
});
