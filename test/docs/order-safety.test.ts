/** Each row of the tables of docs/order-safety.md has a test, which this list names: a row without one, and a name without a test, fail. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.join(__dirname, '../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

const RETRY = 'test/engine/once-retry.test.ts';
const ANSWERS = 'test/client/orders/placing/answers.test.ts';
const PLACE = 'test/client/orders/placing/place.test.ts';

/** By how a row begins: a file, and the words of a test in it. */
const TESTS: Readonly<Record<string, Readonly<Record<string, readonly [file: string, test: string]>>>> = {
  'The answer': {
    'A page or a refusal of a proxy': [ANSWERS, 'finds an order that was taken after %s, and does not send it again'],
    '400 of the service that speaks of a duplicate': [
      ANSWERS,
      'finds an order that was taken after %s, and does not send it again',
    ],
    '429, as JSON or as a page': [ANSWERS, 'is looked at for as long as the list may lag'],
    '401 or 440 of the service': ['test/engine/http.test.ts', 'renews the session once on %i'],
    'A reply that names another order': [ANSWERS, 'a success that is not about the order'],
    '408, 5xx, a page with the status 200': [
      ANSWERS,
      'an order without a clear answer (%s) is found where it was taken, else unknown or certainly not sent, and sent once',
    ],
    'Any of these, or a refusal without a reason, where': [
      'test/client/orders/changing/change-order.test.ts',
      'is not believed of a cancellation that was taken',
    ],
  },
  'What was pressed, or happened': {
    '*Retry* of an execution that failed': [
      'test/engine/once.test.ts',
      'a retry in the list of executions returns again what the first try placed',
    ],
    '*Retry* of an execution that was lost because': [
      RETRY,
      'returns the order of an execution that n8n lost after it, %s',
    ],
    '*Retry* again and again': [
      RETRY,
      'places one order for an execution that n8n lost before it, over three tries and a retry of the retry',
    ],
    '*Retry* twice at the same moment': [RETRY, 'places one order where it is pressed twice at one moment'],
    '*Retry* while the worker of the first try only hangs': [
      'test/client/orders/account/shared-lock.test.ts',
      'a process that hangs %s, and a retry at the moment at which it wakes, place one order',
    ],
    '*Retry with currently saved workflow*': [RETRY, 'in which the step has another name'],
    '*Retry* of *Place Many*': [
      RETRY,
      'returns what Place Many had placed when n8n lost it in the middle, and places the rest',
    ],
    '*Retry* of an execution that n8n lost, whose items': [
      RETRY,
      '%s places nothing again where an item has come before the others',
    ],
    "*Retry* while the day's list cannot be read": [RETRY, 'sends nothing while %s, and the outcome is unknown'],
    '*Retry* on another day': [RETRY, 'on another day than the first try'],
    '*Retry* of an execution that calls a sub-workflow': [
      RETRY,
      'returns what the first try placed, item by item, and places what it did not',
    ],
    "*Retry* of the sub-workflow's own execution": [RETRY, 'of the called execution by itself'],
    '*Retry* of an execution that was started by hand': [RETRY, 'sends nothing where the caller was started by hand'],
    '*Retry* of an AI agent': [
      'test/engine/tool.test.ts',
      'returns or refuses in a retry of the agent what an earlier try placed, whatever is asked for first',
    ],
    'Nothing: an n8n before 2.0': [RETRY, 'returns the order of its first beginning'],
    '*Retry* in an older n8n': [RETRY, 'sends nothing without a key for an execution that an older n8n lost'],
    'The workflow is run again by hand': [
      RETRY,
      'is another cause than a run by hand from the start, which places an order',
    ],
  },
  'What broke, or was changed': {
    'The connection broke': [PLACE, 'finds the order whose reply was lost, and places nothing more on a retry'],
    'The reply to placing has no id': [
      'test/engine/placing-replies.test.ts',
      'tells what the list shows where the reply has %s',
    ],
    'The list of positions is empty, null or cut': [
      'test/engine/one-list.test.ts',
      'Exit All says what it cannot find, and not that there is nothing',
    ],
    'The list of instruments names an option twice': [
      'test/client/market/option-chain.test.ts',
      'a chain that contradicts itself is not used',
    ],
    'The reply to placing exchanges the ids of two orders': [
      'test/engine/placing-replies.test.ts',
      'gives the order that has the tag where orders are waited for and the reply has %s',
    ],
    'An alert is delivered twice': [
      'test/client/orders/account/shared-lock.test.ts',
      'two hundred keys, each at two processes',
    ],
    'A field of the key is missing': ['test/engine/once.test.ts', 'a key of several parts of which one is empty'],
    'n8n was killed while one worker held the lock': [
      'test/client/orders/account/shared-lock.test.ts',
      'a holder that died is broken by one of those who wait',
    ],
    'The execution is stopped': ['test/engine/stop.test.ts', 'places no further order'],
    "The day's list is empty, cut": [
      'test/client/orders/whole-list.test.ts',
      'keeps anything from being sent with a key where it %s: the outcome is unknown',
    ],
    'The service changes the tag': ['test/engine/once.test.ts', 'Session: Check shows a changed tag'],
    'The clock of the machine is set': ['test/client/clock-steps.test.ts', 'takes as long over a clock that is set'],
    'A key comes again on the next day': [
      'test/engine/once-overnight.test.ts',
      'a key places one order on each day on which none of it is open',
    ],
    'Two runs set one target': ['test/client/closing/two-processes.test.ts', 'two processes at once come to it once'],
    "The day's list cannot be read, or lacks what was placed today, and *Most Orders": [
      'test/client/orders/guards/day-count.test.ts',
      'refuses where the list lacks what was placed today, or cannot be read',
    ],
    'The list of positions lacks one that it has shown today': [
      'test/engine/lacking-positions.test.ts',
      'Set Target Position buys nothing again while the list lacks a position that it has shown today',
    ],
    "An order or a basket in the day's list has no number": [
      'test/client/orders/api/each-once.test.ts',
      'is refused where the id of one is %j',
    ],
    'The service writes a word that is not known here': [
      'test/client/orders/unknown-words.test.ts',
      'an unknown status is never filled, cancelled or rejected, whatever the quantities',
    ],
    'A list has an order or a basket with more legs or exits': [
      'test/client/stream/account-feed/oversized.test.ts',
      'a list is not used whose baskets, or orders, are larger than any',
    ],
    'A message of the stream has the id of another order': [
      'test/client/stream/account-feed/shown-as-another.test.ts',
      'starts nothing: %s',
    ],
    'A list of orders, positions or holdings, or the funds, are of another account': [
      'test/client/one-account.test.ts',
      'are not used where they are of another account than before',
    ],
    'The service, or a gateway, answers with the status 200 that it failed': [
      'test/client/reply-fault.test.ts',
      'are refused where the reply also says %j',
    ],
    'A worker is killed, or paused, while it closes': [
      'test/client/closing/two-processes.test.ts',
      'two processes at once come to it once',
    ],
    'Futures or options are ordered in lots': [
      'test/engine/session-lot.test.ts',
      'an order that waits for the next session has its lots',
    ],
    'The service writes a quantity or an id': [
      'test/engine/written-otherwise.test.ts',
      '%s are read right, or refused',
    ],
    'The exchange changed the lot of a contract': [
      'test/engine/lot-left.test.ts',
      'closes 650 of 1,100 and says what is left, with the interface %s',
    ],
    'It is not known whether a closing order': [
      'test/client/orders/account/placement-registry.test.ts',
      'is lost once lists have lacked it for two minutes',
    ],
    'The credential is changed': [
      'test/engine/one-account.test.ts',
      'an account that is changed between two steps of one execution places nothing in the second',
    ],
    'A position is closed while *Protect Position*': [
      'test/engine/protect-position.test.ts',
      'place nothing for a position that Exit Position closes at the same moment',
    ],
    'It is not known whether an order of *Protect Position*': [
      'test/engine/protect-position.test.ts',
      'place none while it is not known whether an earlier one was placed',
    ],
    'An order was on its way when trading was stopped': [
      'test/engine/stop-trading.test.ts',
      'cancels an order that was on its way to the service when trading was stopped',
    ],
    'Trading was stopped': [
      'test/engine/stop-trading.test.ts',
      'an order that was placed before with a key is still found: it is not called refused',
    ],
    'The order fills before its price': [
      'test/engine/filled-without-price.test.ts',
      'the price is null after the deadline and the item says why; a later step sends nothing and gives no stale advice',
    ],
    'The exchange rejects the order': [
      'test/engine/place.test.ts',
      'says that an order was rejected after the service had taken it, and which one it is',
    ],
    'A target position of a share for delivery': [
      'test/engine/set-target-position.test.ts',
      'says which holdings of a share do not count, and sends nothing unless they are to be left out',
    ],
    'A series that only allows delivery': [
      'test/client/orders/placing/rules.test.ts',
      'a closing order is sent whatever its series allows; an opening one is not, nor in a basket',
    ],
    'The list of the day is very large': ['test/engine/large-day.test.ts', 'is read whole: a key places once'],
    'The workflow was published': ['test/engine/trigger-published.test.ts', 'nothing starts for the old fills'],
  },
};

/** First cells of the rows of the table whose first heading is this. */
function rowsOf(heading: string): string[] {
  const lines = read('docs/order-safety.md').split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (at < 0) throw new Error(`docs/order-safety.md has no table ${heading}`);
  const rest = lines.slice(at + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end).map((line) => line.split('|')[1]!.trim());
}

describe.each(Object.entries(TESTS))('the table "%s"', (heading, tests) => {
  it('has a test for each row, and no other', () => {
    const rows = rowsOf(heading);
    const named = rows.map((row) => Object.keys(tests).filter((beginning) => row.startsWith(beginning)));
    expect(rows.filter((_, index) => named[index]!.length !== 1)).toEqual([]);
    expect(named.flat().sort()).toEqual(Object.keys(tests).sort());
  });

  it.each(Object.entries(tests))('the test "%s" exists', (_, [file, test]) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(read(file)).toContain(test);
  });
});
