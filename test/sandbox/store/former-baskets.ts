/**
 * A folder of `--data` with baskets in every state, which the sandbox wrote when baskets had a separate engine
 * (`former-baskets/`), and the books that it held then and came to later, by the same code at today's prices: each change of the law of
 * prices needs the folder written once more by that engine (commit f74dfdb7). The cash of its books and of its outcome has since been worked out
 * again, as the GST of a day is rounded as a whole: two paise; nothing else of the books differed.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Sandbox } from '../../../sandbox/src';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { START } from '../support';

export const ACCOUNT = 'SBX001';
const FORMER = path.join(__dirname, 'former-baskets');
const STARTED_AT = Date.parse(START);

/** The books then, and so many minutes after the beginning. */
export interface FormerBooks {
  then: Books;
  later: { minutes: number; books: Books }[];
}

export type Books = ReturnType<typeof booksOf>;

export function formerBooks(): FormerBooks {
  return JSON.parse(gunzipSync(readFileSync(path.join(FORMER, 'books.json.gz'))).toString()) as FormerBooks;
}

/** Copies the folder unchanged. @returns the path of the copy, for the caller to remove */
export function formerFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-former-baskets-'));
  for (const name of readdirSync(FORMER).filter((item) => item !== 'books.json.gz'))
    writeFileSync(path.join(folder, name.slice(0, -3)), gunzipSync(readFileSync(path.join(FORMER, name))));
  return folder;
}

/** Opens it with the options that it was made with; its clock is manual. */
export function open(data: string): Sandbox {
  const options = { ...DEFAULT_OPTIONS, seed: 11, clock: 'manual', start: START, data, snapshotEvery: 9 } as const;
  return new Sandbox(options, () => STARTED_AT);
}

export function pass(sandbox: Sandbox, minutes: number): void {
  sandbox.clock.set(STARTED_AT + minutes * 60_000);
  sandbox.now();
}

/** Books of the account's baskets and orders; 64-bit integers as text. */
export function booksOf(sandbox: Sandbox) {
  const { world, instant } = sandbox;
  const { cash, available, realised } = world.accounts.funds(ACCOUNT);
  const events = sandbox.journal.after(0, 'basket', 10_000).map(({ at, data }) => ({ at, ...data }));
  const ids = new Set(events.map((event) => String((event as { basket_id?: unknown }).basket_id)));
  const books = {
    listed: world.basketsOf(ACCOUNT).map(({ id, name }) => `${id} ${name}`),
    baskets: [...ids]
      .map((id) => world.basket(BigInt(id)))
      .filter((basket) => basket !== undefined)
      .map((basket) => ({ ...basket, netPrice: world.netPriceOf(basket), profit: world.profitOf(basket) })),
    events: events.map((event) => Object.values(event).join(' ')),
    orders: world.exchange
      .orders(ACCOUNT, instant)
      .map(({ id, refId, side, status, filledQuantity, filledValue, basketId, reason }) =>
        [id, refId, side, status, filledQuantity, filledValue, basketId, reason].join(' '),
      ),
    strategies: world
      .intentsOf(ACCOUNT)
      .map(({ id, status, filledQuantity }) => [id, status, filledQuantity].join(' ')),
    funds: { cash, available, realised },
  };
  const text = JSON.stringify(books, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return JSON.parse(text) as typeof books;
}
