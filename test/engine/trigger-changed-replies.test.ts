/**
 * A proxy between a trigger and the sandbox that changes one answer at a time, of each that a trigger reads while it is published and
 * while it runs: nothing is ordered and no workflow started for what was not understood, what is told names the cause, and the trigger goes
 * on once the answers are right again. REPLIES_TABLE=1 prints what became of each kind of trigger with each change.
 */
import { forgetInstruments } from '../../client/instruments/catalogue';
import { allTextOf } from '../support/engine';
import type { Emitted, RunningTrigger } from '../support/engine-types';
import { clock } from '../support/hurried-clock';
import { CRASH } from '../support/proxied-operations';
import { startProxy, type Proxy, type ProxyReply } from '../support/proxy';
import { IS_WHOLE as IS_LONGER } from '../support/sample';
import { TriggerBench, is, json } from '../support/trigger-bench';
import { NEWEST, triggerKindNames, TriggerKinds, type TriggerKind } from '../support/trigger-kinds';
import {
  endpointOf,
  isRead,
  TRIGGER_REPLY_CHANGES,
  USUAL_LINES,
  type TriggerReplyChange,
} from '../support/trigger-reply-changes';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

/** Every change of every answer, while running and at the publication; `npm test` tries one while running for every sixth kind, in turn on one of the interfaces. */
const IS_WHOLE = process.env['REPLIES_ALL'] === '1';
/** One kind in so many is tried on each interface. */
const OF = IS_LONGER ? 4 : 12;
/** The changes to try: those whose names match REPLIES_ONLY. */
const CHANGES = TRIGGER_REPLY_CHANGES.filter(({ name }) => new RegExp(process.env['REPLIES_ONLY'] ?? '').test(name));
/** Events that may come whatever was changed. */
const ANY_TIME = ['optionChainAlert', 'marketTime'];
/** Changes after which kept exits cannot tell that an entry is theirs, and stop. */
const OTHER_ENTRIES = ['other account', 'other ids', 'other instrument'];
/** Jest's limit for a row of the whole table. */
const ROW_MS = IS_WHOLE ? 1_800_000 : undefined;
/** Seconds of the market within which it must tell what happens then. */
const GOES_ON_SECONDS = 1_000;
/** Number of readings of an unusable answer after which the user must have been told. The history of a gap is asked for five times first. */
const readsUntilReported = (endpoint: string): number => (endpoint.includes('/charts/') ? 6 : 2);
/** Seconds of the market for which an answer is changed: each list is read several times in them. */
const CHANGED_SECONDS = 25;
/** Time for which an unusable answer stays, longer than an outage before it is told. */
const OUTAGE = 'PT6M';

const table = new Map<string, string>();
afterAll(() => {
  if (process.env['REPLIES_TABLE'] === '1')
    process.stdout.write(
      `${[...table].map(([row, outcome]) => `| ${row} | ${outcome} |`).join('\n')}\n${table.size} answers changed\n`,
    );
});

/** One answer of those that a kind of trigger reads, changed. */
interface ChangedReply {
  endpoint: string;
  change: TriggerReplyChange;
}

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  let bench: TriggerBench;
  let proxy: Proxy;
  let kinds: TriggerKinds;

  beforeAll(async () => {
    const through = async (url: string): Promise<string> => (proxy = await startProxy(url)).url;
    const options = { hours: 'always', start: '2026-11-25T12:00:00+05:30', clock: '60x', orderInterface } as const;
    bench = await TriggerBench.start(options, undefined, through);
    kinds = await TriggerKinds.open(bench);
  });
  afterAll(async () => {
    await bench.close();
    await proxy.close();
  });

  const pass = async (seconds: number): Promise<void> => await clock.sleep(seconds * 1_000);

  /** Waits for what a trigger starts, at most so many seconds. @returns undefined if nothing came */
  const awaited = async (
    trigger: RunningTrigger,
    condition: (emitted: Emitted) => boolean,
  ): Promise<Emitted | undefined> => {
    const came = new AbortController();
    const timeUp = clock.sleep(GOES_ON_SECONDS * 1_000, came.signal).then(
      () => undefined,
      () => undefined,
    );
    try {
      return await Promise.race([trigger.waitFor(condition), timeUp]);
    } finally {
      came.abort();
    }
  };
  const reset = async (kind: TriggerKind): Promise<void> => {
    proxy.change = undefined;
    await bench.control('DELETE', '/faults');
    await bench.endTest();
    await bench.engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    await kinds.move(1);
    await bench.passSeconds();
    await kind.before?.();
  };
  const publish = async (kind: TriggerKind): Promise<RunningTrigger> => await bench.activate(kind.parameters(), NEWEST);
  const begin = async (kind: TriggerKind): Promise<RunningTrigger> => {
    const trigger = await publish(kind);
    if (kind.begins !== undefined) await trigger.waitFor(is(kind.begins));
    return trigger;
  };
  /** Returns the answers that are read while something is done. */
  const readBy = async (done: () => Promise<unknown>): Promise<ChangedReply[]> => {
    const asked = new Map<string, ProxyReply>();
    proxy.change = (request, reply) => {
      if (reply.status === 200 && isRead(request)) asked.set(endpointOf(request), reply);
      return undefined;
    };
    await done();
    proxy.change = undefined;
    return [...asked].flatMap(([endpoint, usual]) =>
      CHANGES.flatMap((change) => (change.made(usual).text === usual.text ? [] : [{ endpoint, change }])),
    );
  };
  /** Changes the answers of an endpoint from now on. @returns how many were changed so far */
  const beginChanges = ({ endpoint, change }: ChangedReply): (() => number) => {
    let count = 0;
    proxy.change = (request, reply) => {
      if (endpointOf(request) !== endpoint) return undefined;
      const other = change.made(reply);
      if (other.text === reply.text) return undefined;
      count += 1;
      return other;
    };
    return () => count;
  };
  /** Returns what the trigger tells of a fault from now on: failed executions, lines of the log, and its own events. */
  const listen = (trigger: RunningTrigger | undefined): (() => string[]) => {
    const from = bench.engine.logger.lines.length;
    const [failed, errors, events] = [
      trigger?.failedExecutions.length ?? 0,
      trigger?.errors.length ?? 0,
      trigger?.emitted.length ?? 0,
    ];
    return () => [
      ...(trigger === undefined
        ? []
        : [...trigger.failedExecutions.slice(failed), ...trigger.errors.slice(errors)]
      ).map((error) => allTextOf(error)),
      ...bench.engine.logger.lines.slice(from).filter((line) => /^(warn|error)/i.test(line)),
      ...(trigger?.emitted.slice(events) ?? [])
        .map((emitted) => String(json(emitted).error_message ?? ''))
        .filter((text) => text !== ''),
    ];
  };
  /** @param isToTell true if the user must be told something. */
  const causeFaults = (where: string, lines: readonly string[], says: RegExp, isToTell: boolean): string[] => {
    const own = lines.filter((line) => !USUAL_LINES.test(line));
    return [
      ...own.filter((line) => CRASH.test(line) || !says.test(line)).map((line) => `${where}: tells no cause: ${line}`),
      ...(isToTell && own.length === 0 ? [`${where}: tells nothing`] : []),
      ...own.filter((line, at) => own.indexOf(line) !== at).map((line) => `${where}: tells it again: ${line}`),
    ];
  };
  /** An exit that cannot be kept is told; everything else would be a start of the workflow for what has not happened. */
  const startsIn = (events: readonly Emitted[], usual: readonly unknown[], { isNew }: TriggerKind): unknown[] =>
    events
      .filter((emitted) => isNew?.(emitted) ?? true)
      .map(({ items }) => items[0]?.json.event)
      .filter((event) => !['exitFailed', ...usual].includes(event));

  /** Makes what starts the workflow. @returns what is wrong with how the trigger goes on */
  const goOn = async (where: string, kind: TriggerKind, trigger: RunningTrigger): Promise<string[]> => {
    // One that was published with a changed answer may have to begin yet.
    if (kind.begins !== undefined) await awaited(trigger, is(kind.begins));
    const requested = await kind.happens();
    const before = await kinds.received();
    const came = await awaited(trigger, requested);
    await pass(10);
    const times = trigger.emitted.filter(requested).length;
    const sent = (await kinds.received()) - before;
    return [
      ...(came === undefined ? [`${where}: does not go on`] : []),
      ...(times > 1 ? [`${where}: told ${times} times`] : []),
      ...(sent > kind.orders ? [`${where}: sent more than ${kind.orders} orders then`] : []),
    ];
  };

  /** A trigger that runs while an answer is changed. @returns what is wrong */
  const run = async (name: string, kind: TriggerKind, changed: ChangedReply): Promise<string[]> => {
    await reset(kind);
    const { change, endpoint } = changed;
    const where = `${orderInterface}, ${name}, running, ${change.name} at ${endpoint}`;
    const trigger = await begin(kind);
    const [events, sent, lines] = [trigger.emitted.length, await kinds.received(), listen(trigger)];
    const count = beginChanges(changed);
    await pass(CHANGED_SECONDS);
    if (change.isUnusable === true && count() > 0) {
      await bench.control('POST', '/clock', { advance: OUTAGE });
      await pass(CHANGED_SECONDS);
    }
    const wrong = startsIn(trigger.emitted.slice(events), kind.isAnyTime ? ANY_TIME : [], kind);
    const orders = (await kinds.received()) - sent;
    proxy.change = undefined;
    if (count() === 0) return [];
    table.set(where, `${count()} replies changed; ${lines().join(' ¦ ').slice(0, 400)}`);
    return [
      ...(orders > 0 ? [`${where}: sent ${orders} orders`] : []),
      ...(wrong.length > 0 ? [`${where}: started the workflow for ${wrong.join()}`] : []),
      ...causeFaults(
        where,
        lines(),
        change.says,
        change.isUnusable === true && count() >= readsUntilReported(endpoint),
      ),
      ...(await goOn(where, kind, trigger)),
    ];
  };

  /** A trigger that is published while an answer is changed. @returns what is wrong */
  const publishWith = async (name: string, kind: TriggerKind, changed: ChangedReply): Promise<string[]> => {
    await reset(kind);
    const { change, endpoint } = changed;
    const where = `${orderInterface}, ${name}, published, ${change.name} at ${endpoint}`;
    const isOfInstruments = endpoint.includes('/refdata/');
    if (isOfInstruments) forgetInstruments();
    const [sent, lines] = [await kinds.received(), listen(undefined)];
    const count = beginChanges(changed);
    const [published] = await Promise.allSettled([publish(kind)]);
    const trigger = published.status === 'fulfilled' ? published.value : undefined;
    await pass(10);
    const events = trigger?.emitted ?? [];
    const orders = (await kinds.received()) - sent;
    proxy.change = undefined;
    if (isOfInstruments) forgetInstruments();
    if (count() === 0) return [];
    const usual = [kind.begins, ...(kind.isAnyTime ? ANY_TIME : [])];
    const wrong = [
      ...startsIn(events, usual, kind),
      ...(kind.begins === 'exitsKept'
        ? events.filter(is('exitsKept')).map((emitted) => kinds.wrongIn(json(emitted)))
        : []),
    ].filter((item) => item !== undefined);
    const messages = [
      ...(published.status === 'rejected' ? [describeError(published.reason)] : []),
      ...lines(),
      ...events.map((emitted) => String(json(emitted).error_message ?? '')).filter((text) => text !== ''),
    ];
    table.set(where, `${trigger === undefined ? 'refused' : 'published'}; ${messages.join(' ¦ ').slice(0, 400)}`);
    return [
      // The stop loss with which it begins is an order.
      ...(orders > (kind.begins === 'stopPlaced' ? 1 : 0) ? [`${where}: sent ${orders} orders`] : []),
      ...(wrong.length > 0 ? [`${where}: started the workflow for ${wrong.join()}`] : []),
      ...causeFaults(where, messages, change.says, false),
      ...(await goOn(where, kind, trigger ?? (await begin(kind)))).filter(
        // Which number is the right one, the trigger cannot know: it says so, and places nothing more.
        (fault) =>
          !(kind.begins === 'stopPlaced' && OTHER_ENTRIES.includes(change.name) && /does not go on$/.test(fault)),
      ),
    ];
  };
  const describeError = (error: unknown): string => {
    const { message, description } = error as Error & { description?: string };
    return `${message} ${description ?? ''}`;
  };

  const rows = triggerKindNames(orderInterface).map((name, at) => ({ name, at }));
  it.each(IS_WHOLE ? rows : rows.filter(({ at }) => at % OF === (orderInterface === 'v2' ? 0 : OF / 2)))(
    '$name: nothing is wrong of an answer that was changed',
    async ({ name, at }) => {
      const kind = kinds.of(orderInterface)[name]!;
      await reset(kind);
      forgetInstruments();
      const atPublication = await readBy(async () => await begin(kind));
      const whileRunning = await readBy(async () => await pass(CHANGED_SECONDS));
      const faults: string[] = [];
      const share = whileRunning.slice((at * 5) % Math.max(whileRunning.length, 1)).slice(0, 1);
      for (const changed of IS_WHOLE ? whileRunning : share) faults.push(...(await run(name, kind, changed)));
      if (IS_WHOLE) for (const changed of atPublication) faults.push(...(await publishWith(name, kind, changed)));
      expect(faults).toEqual([]);
    },
    ROW_MS,
  );
});
