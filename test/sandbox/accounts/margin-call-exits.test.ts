/** Exits, strategies and baskets on a position that the broker closes for a margin call. */
import { describe, expect, test } from '@jest/globals';
import type { NewBasket } from '../../../sandbox/src/exchange/strategies/v2-basket-types';
import { ACCOUNT, MINUTE, opened, START, type Trading } from './margin-call-bench';
import { AT_THE_MARKET } from '../../support/basketing';
import { intent } from '../../support/intents';

describe('exits of a position that the broker closes', () => {
  const LOTS = 24;
  /** Terms of an order for futures whose stop loss is reached a while after the margin call. */
  const asked = ({ future, world }: Trading) => {
    const last = world.lastPrice(future);
    const [stop, limit] = [0.94, 0.9].map((part) => Math.round((last * part) / future.tickSize) * future.tickSize);
    return { last, stop: stop!, limit: limit! };
  };
  const EXITS = { target: null, time: null };

  /** Each way to hold futures with a stop loss; returns how it is told, once entered. */
  const WAYS = {
    'an order with exits': (trading: Trading) => {
      const { future, world } = trading;
      const { last, stop, limit } = asked(trading);
      const placed = world.placeIntent(
        {
          ...INTENT,
          legs: [{ refId: future.refId, unit: 1 }],
          quantity: LOTS * future.lotSize,
          price: last + 100 * future.tickSize,
          exits: { ...EXITS, stop: { trigger: stop, limit, jump: null } },
        },
        false,
      );
      if (!placed.ok) throw new Error(placed.text);
      return () => world.intents.intent(placed.intent.id)!.exits[0]!;
    },
    'a strategy': (trading: Trading) => {
      const { future, world } = trading;
      const { stop, limit } = asked(trading);
      const placed = world.placeIntent(
        {
          ...INTENT,
          multi: true,
          legs: [{ refId: future.refId, unit: 1 }],
          quantity: LOTS * future.lotSize,
          priceType: 'MARKET',
          validity: 'IOC',
          goodTill: null,
          exits: { ...EXITS, stop: { trigger: stop, limit, jump: null } },
        },
        false,
      );
      if (!placed.ok) throw new Error(placed.text);
      return () => world.intents.intent(placed.intent.id)!.exits[0]!;
    },
    'a basket of the older interface': (trading: Trading) => {
      const { future, world } = trading;
      const placed = world.placeBasket({
        ...BASKET,
        legs: [{ refId: future.refId, quantity: LOTS * future.lotSize, side: 'BUY' }],
        stoplossPrice: asked(trading).stop,
      });
      if (!placed.ok) throw new Error(placed.text);
      return () => {
        const { status, reason } = world.basket(placed.basket.id)!;
        return { status: status === 'CLOSED' ? 'CANCELLED' : status, reason };
      };
    },
  };
  const goodTill = START + 2 * 24 * 60 * MINUTE;
  const INTENT = intent({ account: ACCOUNT, validity: 'GTE', price: 0, goodTill, tag: 'guarded', echo: '' });
  const BASKET: NewBasket = {
    ...{ account: ACCOUNT, name: 'guarded', tag: 'guarded', exchange: 'NSE', side: 'BUY', product: 'CNC', legs: [] },
    ...AT_THE_MARKET,
  };

  test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('end with it, of %s: they open no other one', (way) => {
    const trading = opened();
    const exit = WAYS[way](trading);
    trading.wait(5_000);
    expect(trading.open()).toBe(LOTS * trading.future.lotSize);
    trading.world.trade.addFunds(ACCOUNT, 1_000_000 - trading.funds().available);
    trading.move(-2.5);
    trading.wait(20 * MINUTE);
    expect(trading.calls()).toContain('square_off');
    expect(exit()).toMatchObject({ status: 'CANCELLED', reason: 'Margin call: the broker closes the position' });
    const left = trading.open();
    trading.world.trade.addFunds(ACCOUNT, 10_000_000_000);
    trading.move(-6);
    trading.wait(MINUTE);
    expect(trading.open()).toBe(left);
  });
});
