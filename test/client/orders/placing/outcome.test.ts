import {
  ForeignReplyError,
  InputError,
  NetworkError,
  ServiceError,
  SessionError,
  UnknownOutcomeError,
  UnreadableReplyError,
} from '../../../../client/base/errors';
import { MAX_SENDS } from '../../../../client/orders/api/order-api';
import {
  classifyFailure,
  isClearNo,
  isNoUnlessListed,
  isSentAgain,
  mayHaveChanged,
  noListReason,
  noOutcome,
  placedBeforeMidnight,
  rejectedError,
  rejectedOrderError,
  unclearCause,
  unknownChange,
  unsentOutcome,
} from '../../../../client/orders/placing/outcome';

const status = (code: number): ServiceError => new ServiceError('x', { status: code, serviceText: '' });

it.each([
  ['input that was refused here', new InputError('x'), 'refused'],
  ['a dead session', new SessionError('x'), 'refused'],
  ['a connection that was refused', new NetworkError('x', { maySent: false }), 'refused'],
  ['a connection that broke', new NetworkError('x', { maySent: true }), 'unknown'],
  ['a reply that cannot be read', new UnreadableReplyError('x'), 'unknown'],
  ['an odd reply of 200', status(200), 'unknown'],
  ['an odd reply of 299', status(299), 'unknown'],
  ['a choice of replies', status(300), 'rejected'],
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
  const withoutSession = (isRetry: boolean) =>
    unsentOutcome({ tag: 't', keyed: true, isRepeat: isRetry, isRetry }, new SessionError('x'), noun, noListReason);
  expect(withoutSession(false)).toMatchObject({ outcome: 'refused' });
  expect(withoutSession(true)).toMatchObject({ outcome: 'unknown' });
});

const REASON = 'order_qty must be a multiple of 65';
const said = (code: number, serviceText = REASON, isOwnForm = true): ServiceError =>
  new ServiceError('x', { status: code, serviceText, isOwnForm });
const foreign = (code: number): ForeignReplyError => new ForeignReplyError('x', { status: code });

describe("before the day's list is looked at", () => {
  it.each<[string, unknown, boolean]>([
    ['input that was refused here', new InputError('x'), true],
    ['a connection that was refused', new NetworkError('x', { maySent: false }), true],
    ['a connection that broke', new NetworkError('x', { maySent: true }), false],
    ['a session that nobody asked the service about', new SessionError('x'), true],
    ['a session that the service called expired', new SessionError('x', { status: 401 }), false],
    ['a 400 of the service with its reason', said(400), true],
    ['a 400 in general words, which may come from anybody', said(400, 'Bad Request'), false],
    ['a 400 in another form', said(400, REASON, false), false],
    [
      'a 400 as if it came twice: the first may have been taken',
      said(400, 'duplicate order: tag is already in use'),
      false,
    ],
    ['a 400 that tells of an order with its tag', said(400, 'An order with this tag exists'), false],
    ['a 400 after which it may have gone on', said(400, 'The request could not be processed in time'), false],
    ['a 400 of something in between', said(400, 'upstream did not respond'), false],
    ['a 400 in which nobody knows', said(400, 'Unknown error, try again'), false],
    ['a 422 with a reason', said(422), false],
    ['a page of a proxy', foreign(400), false],
    ['a reply that cannot be read', new UnreadableReplyError('x'), false],
    ['what is no error of the client', new TypeError('x'), false],
  ])('%s says clearly that one order was not placed, or does not', (_, error, isNo) => {
    expect(isClearNo(error, 1)).toBe(isNo);
  });

  it('a 400 says nothing clear of several orders: others of them may have been taken', () => {
    expect(isClearNo(said(400), 2)).toBe(false);
    expect(isClearNo(new InputError('x'), 2)).toBe(true);
  });
});

it.each<[string, unknown, boolean]>([
  ['a dead session', new SessionError('x', { status: 401 }), true],
  ['a refusal of the service', said(400), true],
  ['too many requests', said(429), true],
  ['a fault of the service', said(500), false],
  ['a redirect of a proxy', foreign(302), true],
  ['the first status of a redirect', foreign(300), true],
  ['a page of a proxy that lets a login through', foreign(200), false],
  ['a page of a proxy that forbids it', foreign(403), true],
  ['a time-out of a proxy', foreign(408), false],
  ['the last status of a refusal', foreign(499), true],
  ['a fault of a gateway', foreign(500), false],
  ['a connection that broke', new NetworkError('x', { maySent: true }), false],
  ['a reply that cannot be read', new UnreadableReplyError('x'), false],
])('%s is a refusal, or leaves it open, once the list shows nothing', (_, error, isNo) => {
  expect(isNoUnlessListed(error)).toBe(isNo);
});

it('is sent again after too many requests, so often and not oftener, and once after an expired session', () => {
  for (const error of [said(429), foreign(429)]) {
    expect(isSentAgain(error, 1)).toBe(true);
    expect(isSentAgain(error, MAX_SENDS - 1)).toBe(true);
    expect(isSentAgain(error, MAX_SENDS)).toBe(false);
  }
  expect(isSentAgain(new SessionError('x', { status: 401 }), 1)).toBe(true);
  expect(isSentAgain(new SessionError('x', { status: 401 }), 2)).toBe(false);
  expect(isSentAgain(new SessionError('x'), 1)).toBe(false);
  const others = [said(400), foreign(403), new NetworkError('x', { maySent: true }), { status: 429 }, undefined];
  for (const error of others) expect(isSentAgain(error, 1)).toBe(false);
});

it.each<[string, unknown, boolean]>([
  ['a refusal with its reason', said(400), false],
  ['a refusal in general words', said(400, 'Bad Request'), true],
  ['a refusal in another form', said(403, REASON, false), true],
  ['a fault of the service', said(503), true],
  ['a connection that broke', new NetworkError('x', { maySent: true }), true],
  ['a connection that was refused', new NetworkError('x', { maySent: false }), false],
  ['input that was refused here', new InputError('x'), false],
])('a change is looked for after %s, or not', (_, error, isLookedFor) => {
  expect(mayHaveChanged(error)).toBe(isLookedFor);
});

describe('a rejection of the exchange', () => {
  it('is told in plain words, beside those of the service, with the number and the tag', () => {
    const error = rejectedOrderError({ order_id: '7', rejection_msg: 'RMS: Insufficient margin.' }, 'mine');
    expect(error).toMatchObject({
      tag: 'mine',
      id: { order_id: '7' },
      serviceText: 'RMS: Insufficient margin.',
      message: expect.stringMatching(
        /^The order was rejected: .+\. The service said: RMS: Insufficient margin\.$/,
      ) as string,
      hint: expect.stringMatching(/^.+\. In the list it is order 7, with the tag mine\.$/) as string,
    });
    expect(error.hint).not.toContain('Fix what the reason says');
  });

  it('repeats unknown words, and says to follow them', () => {
    const error = rejectedOrderError({ order_id: '7', rejection_msg: 'zzz.' }, 'mine');
    expect(error.message).toBe('The order was rejected: zzz.');
    expect(error.hint).toBe(
      'Fix what the reason says and place the order again. In the list it is order 7, with the tag mine.',
    );
  });

  it('says that a basket has a leg above the freeze quantity where it has no reason', () => {
    const leg = (quantity: number) => ({
      ...{ order_id: '1', order_qty: quantity, exchange: 'NSE' },
      ref_data: { asset: 'NIFTY', stock_name: 'NIFTY26NOV24500CE', derivative_type: 'OPT' },
    });
    const hint = (...quantities: number[]) =>
      rejectedError({ basket_id: '8', orders: quantities.map(leg) }, { basket_id: '8' }, 'mine').hint;
    expect(hint(65, 1_820)).toMatch(/^The exchange takes at most 1,800 units of NIFTY in one order\./);
    expect(hint(65, 65)).toMatch(/^Your broker's app/);
  });

  it('says where the reason is shown where the record has none, of a basket too', () => {
    const error = rejectedError({ basket_id: '8' }, { basket_id: '8' }, 'mine');
    expect(error.message).toBe('The basket was rejected.');
    expect(error.hint).toBe(
      "Your broker's app or the trigger's event shows the reason. In the list it is basket 8, with the tag mine.",
    );
  });
});

it('a change of unknown outcome names the order, what it is now, and its tag', () => {
  const broken = new NetworkError('The connection broke.', { maySent: true });
  const open = unknownChange('order 7', 'cancelled', broken, { tag: 'mine', order_status: 'PARTIAL_FILLED' });
  expect(open.tag).toBe('mine');
  expect(open.message).toMatch(/order 7 is cancelled: no clear answer came \(.+\)\. It is partial filled\.$/);
  const unseen = unknownChange('order 7', 'cancelled', undefined);
  expect(unseen.tag).toBe('');
  expect(unseen.message).toBe('It is not known whether order 7 is cancelled: no clear answer came.');
});

it('an order of an earlier try is named by its tag or its number, with what to do', () => {
  const unclear = unclearCause('basket', 'mine');
  expect([unclear.tag, unclear.message]).toEqual([
    'mine',
    expect.stringContaining('basket with the tag mine') as string,
  ]);
  expect(unclear.hint).toContain('run the workflow again from the start');
  const night = placedBeforeMidnight('order', '7', 'mine');
  expect([night.tag, night.message]).toEqual(['mine', expect.stringContaining('before midnight as order 7') as string]);
  expect(night.hint).toContain("Look for order 7 in your broker's app");
});

it('an unsent order says whether to use the same key, or where to look', () => {
  const unsentHint = (keyed: boolean, isRepeat: boolean): string => {
    const outcome = unsentOutcome({ tag: 'mine', keyed, isRepeat }, status(503), 'order', noListReason);
    return 'error' in outcome ? outcome.error.hint : '';
  };
  expect(unsentHint(true, false)).toContain('Run it again with the same key');
  expect(unsentHint(false, true)).toContain('Look for the tag mine');
  expect(unsentHint(false, false)).toContain('Nothing was placed');
});
