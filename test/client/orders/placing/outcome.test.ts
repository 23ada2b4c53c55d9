import {
  InputError,
  NetworkError,
  ServiceError,
  SessionError,
  UnknownOutcomeError,
  UnreadableReplyError,
} from '../../../../client/base/errors';
import { classifyFailure, noListReason, noOutcome, unsentOutcome } from '../../../../client/orders/placing/outcome';

const status = (code: number): ServiceError => new ServiceError('x', { status: code, serviceText: '' });

it.each([
  ['input that was refused here', new InputError('x'), 'refused'],
  ['a dead session', new SessionError('x'), 'refused'],
  ['a connection that was refused', new NetworkError('x', { maySent: false }), 'refused'],
  ['a connection that broke', new NetworkError('x', { maySent: true }), 'unknown'],
  ['a reply that cannot be read', new UnreadableReplyError('x'), 'unknown'],
  ['an odd reply of 200', status(200), 'unknown'],
  ['an odd reply of 299', status(299), 'unknown'],
  ['a redirect', status(302), 'rejected'],
  ['400', status(400), 'rejected'],
  ['a time-out of a proxy, behind which the work may have been done', status(408), 'unknown'],
  ['409', status(409), 'rejected'],
  ['429', status(429), 'rejected'],
  ['499', status(499), 'rejected'],
  ['500', status(500), 'unknown'],
  ['503', status(503), 'unknown'],
  ['an error that is not of the client', new TypeError('x'), 'unknown'],
])('%s after a POST means that it is %s', (_, error, meaning) => {
  expect(classifyFailure(error)).toBe(meaning);
});

it('a clear no is a refusal or a rejection, by its source: here or the service', () => {
  expect(noOutcome('t', new SessionError('x'))).toMatchObject({ outcome: 'refused', tag: 't' });
  expect(noOutcome('t', status(400))).toMatchObject({ outcome: 'rejected', tag: 't', alreadyPlaced: false });
});

it.each(['order', 'basket'] as const)('an unreadable list leaves a keyed %s unknown, and any other unsent', (noun) => {
  const keyed = unsentOutcome({ tag: 't', keyed: true, isRepeat: false }, status(503), noun, noListReason);
  expect(keyed).toMatchObject({ outcome: 'unknown', tag: 't' });
  expect(keyed.outcome === 'unknown' && keyed.error).toBeInstanceOf(UnknownOutcomeError);
  const other = unsentOutcome({ tag: 't', keyed: false, isRepeat: false }, status(503), noun, noListReason);
  expect(other).toMatchObject({ outcome: 'refused', error: { maySent: false } });
  expect(other.outcome === 'refused' && other.error.message).toContain(`The ${noun} was not sent`);
  expect(
    unsentOutcome({ tag: 't', keyed: true, isRepeat: false }, new SessionError('x'), noun, noListReason),
  ).toMatchObject({
    outcome: 'refused',
  });
});
