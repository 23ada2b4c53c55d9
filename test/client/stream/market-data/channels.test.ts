/** See docs/service/streams.md#market-data-commands, docs/service/instruments.md#names-for-prices: what the stream is asked for. */
import { expect, test } from '@jest/globals';
import { channelCommands, channelKey, channelOf } from '../../../../client/stream/market-data/channels';

test('contracts of MCX are asked for by their full name, all else by the trading symbol', () => {
  const oil = { refId: 1, exchange: 'MCX', symbol: 'OIL26OCTFUT', platName: 'FUT_OIL_20261019', kind: 'FUT' } as const;
  const call = {
    ...oil,
    refId: 2,
    symbol: 'OIL26OCT6000CE',
    platName: 'OPT_OIL_20261015_CE_600000',
    kind: 'OPT',
  } as const;
  const nifty = { ...oil, refId: 3, exchange: 'NSE', symbol: 'NIFTY26NOVFUT', platName: 'FUT_NIFTY_20261124' } as const;
  const channels = [oil, call, nifty].map((instrument) => channelOf({ kind: 'tick', instrument }));
  channels.push(channelOf({ kind: 'candle', instrument: oil, interval: '5m' }));
  expect(channelCommands('batch_subscribe', 'T', channels)).toEqual([
    'batch_subscribe T index {"indexes":["FUT_OIL_20261019","OPT_OIL_20261015_CE_600000"]} MCX',
    'batch_subscribe T index {"indexes":["NIFTY26NOVFUT"]} NSE',
    'batch_subscribe T index_bucket {"indexes":["FUT_OIL_20261019"]} 5m MCX',
  ]);
});

test('depth, options and chains are asked for by what names each, in commands of 500 names at most', () => {
  const share = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' } as const;
  const chain = { kind: 'chain', exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24' } as const;
  const channels = [
    channelOf({ kind: 'depth', instrument: share, levels: 5 }),
    channelOf({ kind: 'greeks', instrument: share }),
    channelOf(chain),
    channelOf({ ...chain, asset: 'BANKNIFTY' }),
  ];
  expect(channelCommands('batch_unsubscribe', 'T', channels)).toEqual([
    'batch_unsubscribe T orderbook {"instruments":[7]}',
    'batch_unsubscribe T greeks {"instruments":[7]}',
    'batch_unsubscribe T option [{"exchange":"NSE","asset":"NIFTY","expiry":"20261124"},{"exchange":"NSE","asset":"BANKNIFTY","expiry":"20261124"}]',
  ]);
  const many = Array.from({ length: 1_000 }, (_, refId) => ({ channel: 'greeks', refId }) as const);
  const names = channelCommands('batch_subscribe', 'T', [...many, { channel: 'greeks', refId: 1_000 }]).map(
    (text) => JSON.parse(text.slice(text.indexOf('{'))).instruments as number[],
  );
  expect(names.map((list) => [list.length, list[0]])).toEqual([
    [500, 0],
    [500, 500],
    [1, 1_000],
  ]);
  expect(channelCommands('batch_subscribe', 'T', many)).toHaveLength(2);
});

test('a candle of one name is none of another, however they are written', () => {
  const candle = (symbol: string, interval: '5m' | '15m') =>
    channelOf({ kind: 'candle', instrument: { refId: 7, exchange: 'NSE', symbol, kind: 'STOCK' }, interval });
  expect(channelKey(candle('A1', '5m'))).not.toBe(channelKey(candle('A', '15m')));
});
