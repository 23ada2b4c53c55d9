/** Address of the streams, as the service tells it. */
import { describe, expect, test } from '@jest/globals';
import { SessionError } from '../../../../client/base/errors';
import { requestStreamAddress } from '../../../../client/stream/connection/stream-address';
import { scriptedTransport, type Scripted } from '../../../support/scripted-transport';
import { FOREVER } from '../listening';

const HOME = 'https://api.example.com';

const asked = async (reply: Scripted, stream: 'orders' | 'market', hosts = '', baseUrl = HOME) =>
  await requestStreamAddress(scriptedTransport([reply], { baseUrl }).transport, stream, hosts, FOREVER);

describe('the address of a stream', () => {
  const reported = {
    text: JSON.stringify({
      env_info: { order_service_ws_url: ' wss://push.example.com/orders ', market_ws_url: 'wss://push.example.com/md' },
    }),
  };

  test('is the one that the service tells for it', async () => {
    expect(await asked(reported, 'orders')).toStrictEqual({ url: 'wss://push.example.com/orders' });
    expect(await asked(reported, 'market')).toStrictEqual({ url: 'wss://push.example.com/md' });
  });

  test.each(['{}', '{"env_info":null}', '{"env_info":{"order_service_ws_url":" ","market_ws_url":null}}', '[]'])(
    'is the usual one on the host of the service where it tells none: %s',
    async (text) => {
      expect(await asked({ text }, 'orders')).toEqual({ url: 'wss://api.example.com/oms-socket-latest/ws' });
      expect(await asked({ text }, 'market')).toEqual({ url: 'wss://api.example.com/apibatch/ws' });
      const local = 'http://127.0.0.1:8787';
      expect(await asked({ text }, 'market', '', local)).toEqual({ url: 'ws://127.0.0.1:8787/apibatch/ws' });
    },
  );

  test('gets no token on a host of somebody else, unless the credential allows it', async () => {
    const elsewhere = { text: reported.text.replaceAll('example.com', 'example.net') };
    await expect(asked(elsewhere, 'orders')).rejects.toThrow(SessionError);
    expect(await asked(elsewhere, 'orders', 'a.example.org, push.example.net')).toEqual({
      url: 'wss://push.example.net/orders',
    });
  });

  test('comes with what the clock of the service is ahead, where its reply tells the time', async () => {
    const { transport, clock } = scriptedTransport(
      [{ ...reported, headers: { date: 'Fri, 20 Nov 2026 04:30:07 GMT' } }],
      {
        baseUrl: HOME,
      },
    );
    clock.set(Date.parse('2026-11-20T04:30:05Z'));
    expect(await requestStreamAddress(transport, 'orders', '', FOREVER)).toMatchObject({ aheadMs: 2_000 });
  });

  test('is not asked for by one who has given up', async () => {
    const { transport, requests } = scriptedTransport([reported], { baseUrl: HOME });
    const signal = AbortSignal.abort(new Error('The trigger was stopped'));
    await expect(requestStreamAddress(transport, 'orders', '', signal)).rejects.toThrow('The trigger was stopped');
    expect(requests).toEqual([]);
  });
});
