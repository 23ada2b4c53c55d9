/** Which activations are n8n's own, after a trigger has failed. */
import { ended, failed, isRetry } from '../../nodes/BrokerageTrigger/reactivation';

let now = 0;
jest.mock('../../nodes/host/clock', () => ({ clock: { now: () => now } }));

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
let workflows = 0;
let id: string;
beforeEach(() => {
  now = 1_800_000_000_000;
  id = `workflow ${(workflows += 1)}`;
});
const after = (ms: number): void => void (now += ms);

it('no activation is, as long as nothing has failed', () => {
  expect(isRetry(id)).toBe(false);
});

it('those are that follow a failure, however long n8n has come to wait between two of them', () => {
  failed(id);
  for (let wait = SECOND; wait < 24 * HOUR; wait *= 2) {
    after(wait);
    // A workflow with two triggers: both are told the same.
    expect([isRetry(id), isRetry(id)]).toEqual([true, true]);
    after(20 * SECOND);
    failed(id);
  }
});

it('one that comes much later than n8n would is of a person', () => {
  failed(id);
  after(SECOND);
  expect(isRetry(id)).toBe(true);
  failed(id);
  after(HOUR);
  expect(isRetry(id)).toBe(false);
});

it('one is of a person after a trigger that was up was ended by a person', () => {
  failed(id);
  after(SECOND);
  expect(isRetry(id)).toBe(true);
  const beganAt = now;
  after(10 * SECOND);
  ended(id, beganAt);
  after(SECOND);
  expect(isRetry(id)).toBe(false);
});

it('one is of n8n when the trigger was ended only because another of the workflow could not be started', () => {
  failed(id);
  after(SECOND);
  const beganAt = now;
  expect(isRetry(id)).toBe(true);
  after(10 * SECOND);
  failed(id);
  ended(id, beganAt);
  after(2 * SECOND);
  expect(isRetry(id)).toBe(true);
});
