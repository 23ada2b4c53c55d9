/** Intent orders, sections 7 and 8: what the stream is asked for. */
import { expect, test } from '@jest/globals';
import { channelCommands, channelOf } from '../../../../client/stream/market-data/channels';

test('futures of MCX are asked for by their full name, all else by the trading symbol', () => {
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
    'batch_subscribe T index {"indexes":["FUT_OIL_20261019","OIL26OCT6000CE"]} MCX',
    'batch_subscribe T index {"indexes":["NIFTY26NOVFUT"]} NSE',
    'batch_subscribe T index_bucket {"indexes":["FUT_OIL_20261019"]} 5m MCX',
  ]);
});
