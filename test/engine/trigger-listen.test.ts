/** Listening in the editor ends by itself when nothing comes, says what it waited for, and leaves nothing behind. */
import { NodeOperationError } from 'n8n-workflow';
import { sleepLong } from '../support/patience';
import { TriggerBench, is } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/patience'));

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start({ clock: 'real' })));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

const listen = async (parameters: Record<string, unknown>) => {
  const trigger = await bench.activate(parameters, { mode: 'manual', activation: 'manual' });
  await trigger.response.manualTriggerFunction?.();
  return trigger;
};

it.each([
  [{ events: ['fill', 'cancelled'] }, 'Fill, Order Cancelled'],
  [{ watch: 'portfolio', parts: ['holdings'] }, 'Holdings'],
  [
    {
      watch: 'price',
      instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
      condition: 'crossesAbove',
      level: 90_000,
    },
    'the price condition "Rises to Level"',
  ],
])('listening ends after two minutes without an event: %j', async (parameters, words) => {
  const trigger = await listen(parameters);
  expect(trigger.errors).toEqual([]);
  await sleepLong.end();
  const [error] = trigger.errors as NodeOperationError[];
  expect(error).toBeInstanceOf(NodeOperationError);
  expect(error?.message).toBe('Nothing came within two minutes');
  expect(error?.description).toContain(`It waited for: ${words}. Click "Execute step" again`);
  await trigger.close();
  await bench.noStreamsLeft();
});

it('listening is not ended when an event came and the user has gone on', async () => {
  const trigger = await listen({ events: ['executed'] });
  await bench.buy(3);
  await trigger.waitFor(is('executed', 3));
  await trigger.close();
  await sleepLong.end();
  expect(trigger.errors).toEqual([]);
  await bench.noStreamsLeft();
});
