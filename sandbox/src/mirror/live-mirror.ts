import type { Greeks, Market } from '../market/prices/types';
import { LiveUniverse } from '../market/mirror/live-universe';
import { MirrorMarket } from '../market/mirror/mirror-market';
import type { LiveAnswer, LiveQuestion, Mirror, MirrorOwner, MirrorStatus, Sighting } from '../market/mirror/types';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import { OptionError } from '../shared/option-error';
import { istDate, istText } from '../shared/time';
import { readCredential } from './credential';
import { KeptAnswers } from './kept-answers';
import { Displaced, LiveReader, Unanswered } from './live-reader';
import { LiveStream, type StreamListener, type Wish } from './live-stream';

const EXCHANGES: readonly ExchangeCode[] = ['NSE', 'BSE', 'MCX'];
/** How long an order or a question waits for the first sight of an instrument, milliseconds. */
const PATIENCE_MS = 5_000;
/** How often a new day is looked for, milliseconds. */
const LOOK_MS = 60_000;

export interface MirrorOptions {
  /** Path of the credential. */
  file: string;
  hours: 'always' | 'exchange';
  /** Time of the machine, milliseconds. */
  now: () => number;
}

/**
 * Connects to the live side: its instruments of the day are read, and its stream is opened.
 * @throws OptionError that says what to do; no secret is in it
 */
export async function openMirror({ file, hours, now }: MirrorOptions): Promise<Mirror> {
  const reader = new LiveReader(readCredential(file), now);
  try {
    await reader.logIn();
    const address = await reader.streamAddress();
    const market = new MirrorMarket(await instrumentsOf(reader, istDate(now())), hours);
    return new LiveMirror(reader, market, now, address);
  } catch (error) {
    if (error instanceof Displaced)
      throw new OptionError(
        `--mirror ${file}: its session or login is not taken: log in anew and put it into the file.`,
      );
    if (error instanceof Unanswered) throw new OptionError(`--mirror ${file}: ${error.message}. Start it again later.`);
    throw error;
  }
}

/** The instruments of all exchanges. @throws Displaced; Unanswered also where there are none */
async function instrumentsOf(reader: LiveReader, date: string): Promise<LiveUniverse> {
  const masters = [];
  for (const exchange of EXCHANGES) masters.push(await reader.master(date, exchange));
  const universe = new LiveUniverse(date, masters.flat());
  if (universe.size === 0) throw new Unanswered(`the live side has no instruments of ${date}`);
  return universe;
}

class LiveMirror implements Mirror, StreamListener {
  readonly market: Market;
  private readonly stream: LiveStream;
  private readonly watched = new Map<number, Promise<void>>();
  private readonly indices = new Map<string, number>();
  private owner: MirrorOwner | undefined;
  private readonly answers: KeptAnswers;
  private readonly look: NodeJS.Timeout;
  private state: MirrorStatus['state'] = 'behind';
  private since: number;
  private why = 'its stream is being opened';
  private frames = 0;
  private unreadable = 0;
  /** Requests go out one after another, so that the limits of the live side are kept. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly reader: LiveReader,
    private readonly seen: MirrorMarket,
    private readonly realNow: () => number,
    address: string,
  ) {
    this.market = seen.market();
    this.since = realNow();
    this.answers = new KeptAnswers((question) => reader.answer(question), realNow);
    this.stream = new LiveStream(address, reader.session, this);
    this.stream.open();
    this.look = setInterval(() => void this.renew(), LOOK_MS);
    this.look.unref();
  }

  attach(owner: MirrorOwner): void {
    this.owner = owner;
  }

  watch(refIds: readonly number[]): void {
    for (const refId of refIds) void this.begin(refId);
  }

  async ready(refIds: readonly number[]): Promise<void> {
    const begun = refIds.map((refId) => this.begin(refId));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([Promise.all(begun), patience]);
    clearTimeout(timer);
  }

  async answer(question: LiveQuestion): Promise<LiveAnswer | { trouble: string }> {
    if (this.state === 'displaced') return { trouble: this.text() };
    try {
      const found = await this.answers.of(question);
      return found ?? { trouble: 'it has been asked as often as it allows: try again in a minute' };
    } catch (error) {
      this.failed(error);
      return { trouble: error instanceof Unanswered ? error.message : this.text() };
    }
  }

  hasSeen(refId: number): boolean {
    return this.seen.hasSeen(refId);
  }

  status(): MirrorStatus {
    const { state, since, frames, unreadable } = this;
    return { state, since, text: this.text(), watched: this.watched.size, frames, unreadable };
  }

  close(): void {
    clearInterval(this.look);
    this.stream.close();
  }

  opened(): void {
    if (this.state === 'displaced') return;
    this.turn('live', '');
    // What the stream tells of later changes only is asked for.
    const known = [...this.watched.keys()];
    this.watched.clear();
    this.watch(known);
  }

  ended(displaced: boolean): void {
    if (displaced) return this.displaced();
    this.seen.interrupt(this.at());
    if (this.state === 'live') this.turn('behind', 'its stream has ended and is being opened again');
  }

  book(refId: number, seen: Sighting): void {
    this.seen.note(refId, seen, this.at());
    this.owner?.changed();
  }

  index(exchange: string, symbol: string, last: number, previousClose: number | undefined): void {
    const refId = this.indices.get(`${exchange} ${symbol}`);
    if (refId === undefined) return;
    if (previousClose !== undefined && previousClose > 0) this.seen.notePreviousClose(refId, previousClose);
    this.seen.noteIndex(refId, last, this.at());
    this.owner?.changed();
  }

  greeks(refId: number, greeks: Greeks, openInterest: number): void {
    this.seen.noteGreeks(refId, greeks, openInterest);
    this.owner?.changed();
  }

  frame(readable: boolean): void {
    if (readable) this.frames += 1;
    else this.unreadable += 1;
  }

  private at(): number {
    return this.owner?.now() ?? this.realNow();
  }

  private text(): string {
    const since = istText(this.since).slice(0, 19).replace('T', ' ');
    if (this.state === 'live') return `live since ${since}`;
    if (this.state === 'displaced')
      return `stopped at ${since}: another login has ended the session of the live side. It does not log in again: put a new session into the file of --mirror and start it anew`;
    return `behind since ${since}: ${this.why}. Nothing trades until it is live again`;
  }

  private turn(state: MirrorStatus['state'], why: string): void {
    this.state = state;
    this.why = why;
    this.since = this.at();
    process.stderr.write(`Mirror: ${this.text()}.\n`);
    this.owner?.changed();
  }

  private displaced(): void {
    if (this.state === 'displaced') return;
    this.stream.close();
    this.seen.interrupt(this.at());
    this.turn('displaced', '');
  }

  /** Begins to watch an instrument; the promise is kept once it was seen for the first time, or cannot be. */
  private begin(refId: number): Promise<void> {
    const instrument = this.seen.instruments.byRefId(refId);
    if (instrument === undefined || this.state === 'displaced') return Promise.resolve();
    let begun = this.watched.get(refId);
    if (begun === undefined) {
      begun = this.first(instrument);
      this.watched.set(refId, begun);
    }
    return begun;
  }

  private first(instrument: Instrument): Promise<void> {
    const { refId, derivativeType, exchange, symbol } = instrument;
    const isIndex = derivativeType === 'INDEX';
    if (isIndex) this.indices.set(`${exchange} ${symbol}`, refId);
    const wishes: Wish[] = [isIndex ? { channel: 'index', symbol, exchange } : { channel: 'orderbook', refId }];
    if (derivativeType === 'OPT') wishes.push({ channel: 'greeks', refId });
    this.stream.want(wishes);
    const asked = this.queue.then(() => this.lookAt(instrument));
    this.queue = asked;
    return asked;
  }

  /** Asks for an instrument once; what the stream has told meanwhile is newer. */
  private async lookAt({ refId, derivativeType, exchange, symbol }: Instrument): Promise<void> {
    try {
      if (derivativeType === 'INDEX') {
        const found = await this.reader.price(exchange, symbol);
        if (found === undefined) return;
        if (found.previousClose > 0) this.seen.notePreviousClose(refId, found.previousClose);
        if (this.isHeard && !this.seen.knows(refId, this.at())) this.seen.noteIndex(refId, found.price, this.at());
      } else {
        const found = await this.reader.book(refId);
        if (found === undefined) return;
        if (found.previousClose > 0) this.seen.notePreviousClose(refId, found.previousClose);
        if (this.isHeard && !this.stream.hasTold(refId)) this.seen.note(refId, found.seen, this.at());
      }
      this.owner?.changed();
    } catch (error) {
      this.failed(error);
      // It is asked for again with the next question about it.
      this.watched.delete(refId);
    }
  }

  private get isHeard(): boolean {
    return this.state === 'live';
  }

  private failed(error: unknown): void {
    if (error instanceof Displaced) return this.displaced();
    if (!(error instanceof Unanswered)) throw error;
    process.stderr.write(`Mirror: ${error.message}.\n`);
  }

  /** Another day has other instruments. */
  private async renew(): Promise<void> {
    const date = istDate(this.at());
    if (this.state === 'displaced' || date === this.seen.instruments.date) return;
    try {
      this.seen.renew(await instrumentsOf(this.reader, date));
      const known = [...this.watched.keys()];
      this.watched.clear();
      this.watch(known);
    } catch (error) {
      this.failed(error);
    }
  }
}
