import type { Greeks, Market } from '../market/prices/types';
import { LiveUniverse } from '../market/mirror/live-universe';
import { MirrorMarket } from '../market/mirror/mirror-market';
import type {
  LiveAnswer,
  LiveQuestion,
  MirroredMarket,
  MirrorOwner,
  MirrorStatus,
  MirrorQuote,
} from '../market/mirror/types';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import { OptionError } from '../shared/option-error';
import { istDate } from '../shared/time';
import { readCredential } from './credential';
import { ResponseCache } from './response-cache';
import { LiveReader, NoAnswer, SessionDisplaced, StreamRefused } from './live-reader';
import { LiveState } from './live-state';
import { LiveStream, type StreamListener, type LiveSubscription } from './live-stream';

const EXCHANGES: readonly ExchangeCode[] = ['NSE', 'BSE', 'MCX'];
/** Time that an order or a question waits for the first sight of an instrument, milliseconds. */
const PATIENCE_MS = 5_000;
/** Interval at which a new day is looked for, milliseconds. */
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
export async function openMirror({ file, hours, now }: MirrorOptions): Promise<MirroredMarket> {
  const credential = readCredential(file);
  const reader = new LiveReader(credential, now);
  try {
    await reader.logIn();
    const address = await reader.streamAddress();
    const market = new MirrorMarket(await instrumentsOf(reader, istDate(now())), hours);
    return new LiveMirror(reader, market, { of: new URL(credential.address).host, now, address });
  } catch (error) {
    if (error instanceof SessionDisplaced)
      throw new OptionError(
        `--mirror ${file}: its session or login is not taken: log in anew and put it into the file.`,
      );
    if (error instanceof StreamRefused) throw new OptionError(`--mirror ${file}: ${error.message}.`);
    if (error instanceof NoAnswer) throw new OptionError(`--mirror ${file}: ${error.message}. Start it again later.`);
    throw error;
  }
}

/** The instruments of all exchanges. @throws SessionDisplaced; Unanswered also where there are none */
async function instrumentsOf(reader: LiveReader, date: string): Promise<LiveUniverse> {
  const masters = [];
  for (const exchange of EXCHANGES) masters.push(await reader.master(date, exchange));
  const universe = new LiveUniverse(date, masters.flat());
  if (universe.size === 0) throw new NoAnswer(`the live side has no instruments of ${date}`);
  return universe;
}

class LiveMirror implements MirroredMarket, StreamListener {
  readonly market: Market;
  private readonly stream: LiveStream;
  private readonly watched = new Map<number, Promise<void>>();
  private readonly indices = new Map<string, number>();
  private owner: MirrorOwner | undefined;
  private readonly answers: ResponseCache;
  private readonly look: NodeJS.Timeout;
  private readonly state: LiveState;
  private isOver = false;
  private readonly realNow: () => number;
  /** Of these the live side has been asked once today. */
  private readonly requested = new Set<number>();
  /** Requests go out one after another, so that the limits of the live side are kept. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly reader: LiveReader,
    private readonly mirrorMarket: MirrorMarket,
    { of, now, address }: { of: string; now: () => number; address: string },
  ) {
    this.market = mirrorMarket.market();
    this.realNow = now;
    this.state = new LiveState(of, now());
    this.answers = new ResponseCache((question) => reader.answer(question), now);
    this.stream = new LiveStream(address, reader.session, this);
    this.stream.open();
    this.look = setInterval(() => void this.renew(), LOOK_MS);
    this.look.unref();
  }

  attach(owner: MirrorOwner): void {
    this.owner = owner;
    this.mirrorMarket.listener = (instrument, at, quote) => owner.onQuote(instrument, at, quote);
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
    if (this.state.isDisplaced) return { trouble: this.state.text };
    try {
      const answer = await this.answers.of(question);
      return answer ?? { trouble: 'it has been asked as often as it allows: try again in a minute' };
    } catch (error) {
      this.failed(error);
      return { trouble: error instanceof NoAnswer ? error.message : this.state.text };
    }
  }

  hasSeen(refId: number): boolean {
    return this.mirrorMarket.hasSeen(refId);
  }

  status(): MirrorStatus {
    const unseen = [...this.watched.keys()].filter((refId) => !this.mirrorMarket.hasSeen(refId)).length;
    return this.state.status(this.watched.size, unseen, this.at());
  }

  close(): void {
    this.isOver = true;
    clearInterval(this.look);
    this.stream.close();
    this.mirrorMarket.interrupt(this.at());
  }

  opened(): void {
    if (this.state.isDisplaced) return;
    this.turn('live', '');
    this.watchAnew();
  }

  ended(displaced: boolean): void {
    if (displaced) return this.displaced();
    this.mirrorMarket.interrupt(this.at());
    if (this.state.isLive) this.turn('behind', 'its stream has ended and is being opened again');
  }

  book(refId: number, onRows: MirrorQuote | undefined): void {
    if (!this.watched.has(refId)) return;
    const quote = onRows && this.mirrorMarket.priced(refId, onRows);
    if (quote !== undefined) return this.mirrorMarket.note(refId, quote, this.at());
    this.state.nonsense();
    this.mirrorMarket.interruptOne(refId, this.at());
  }

  index(exchange: string, symbol: string, last: number, previousClose: number | undefined): void {
    const refId = this.indices.get(`${exchange} ${symbol}`);
    if (refId === undefined) return;
    if (previousClose !== undefined && previousClose > 0) this.mirrorMarket.notePreviousClose(refId, previousClose);
    this.mirrorMarket.noteIndex(refId, last, this.at());
  }

  greeks(refId: number, greeks: Greeks, openInterest: number): void {
    if (this.watched.has(refId)) this.mirrorMarket.noteGreeks(refId, greeks, openInterest);
  }

  frame(isReadable: boolean, sent: number | undefined): boolean {
    const isInTime = this.state.frame(isReadable, sent, this.realNow());
    if (isInTime || !this.state.isLive) return isInTime;
    // What has piled up on the way is left there: a new connection begins with the present.
    this.turn('behind', 'what it tells comes late; its stream is being opened again');
    this.stream.restart();
    return false;
  }

  onRows(): void {
    this.owner?.changed();
  }

  private at(): number {
    return this.owner?.now() ?? this.realNow();
  }

  private turn(state: MirrorStatus['state'], why: string): void {
    this.state.turn(state, why, this.at());
    this.owner?.changed();
  }

  private displaced(): void {
    if (this.state.isDisplaced) return;
    this.stream.close();
    this.mirrorMarket.interrupt(this.at());
    this.turn('displaced', '');
  }

  /** Asks for the facts whose later changes alone come on the stream. */
  private watchAnew(): void {
    const refIds = [...this.watched.keys()];
    this.watched.clear();
    this.watch(refIds);
  }

  /** Begins to watch an instrument; the promise is kept once it was seen for the first time, or cannot be. */
  private begin(refId: number): Promise<void> {
    const instrument = this.mirrorMarket.instruments.byRefId(refId);
    if (instrument === undefined || this.state.isDisplaced) return Promise.resolve();
    let begun = this.watched.get(refId);
    if (begun === undefined) {
      begun = this.first(instrument);
      if (begun === undefined) return Promise.resolve();
      this.watched.set(refId, begun);
    }
    return begun;
  }

  /** Undefined where the service allows no more subscriptions. */
  private first(instrument: Instrument): Promise<void> | undefined {
    const { refId, derivativeType, exchange, symbol } = instrument;
    const isIndex = derivativeType === 'INDEX';
    if (isIndex) this.indices.set(`${exchange} ${symbol}`, refId);
    const requests: LiveSubscription[] = [
      isIndex ? { channel: 'index', symbol, exchange } : { channel: 'orderbook', refId },
    ];
    if (derivativeType === 'OPT') requests.push({ channel: 'greeks', refId });
    if (!this.stream.subscribe(requests)) {
      this.state.say(
        `${this.watched.size} instruments are watched, as many as the service allows: others are not shown`,
      );
      return undefined;
    }
    const requested = this.queue.then(() => this.lookAt(instrument));
    this.queue = requested;
    return requested;
  }

  /** Asks for an instrument once; what the stream has told meanwhile is newer. */
  private async lookAt({ refId, derivativeType, exchange, symbol }: Instrument): Promise<void> {
    const isKnown = this.requested.has(refId) || this.mirrorMarket.previousClose(refId) > 0;
    if (this.isOver || this.state.isDisplaced || (isKnown && this.stream.hasReceived(refId))) return;
    try {
      if (derivativeType === 'INDEX') {
        const livePrice = await this.reader.price(exchange, symbol);
        if (livePrice === undefined) return;
        if (livePrice.previousClose > 0) this.mirrorMarket.notePreviousClose(refId, livePrice.previousClose);
        if (this.state.isLive && !this.mirrorMarket.knows(refId, this.at()))
          this.mirrorMarket.noteIndex(refId, livePrice.price, this.at());
      } else {
        const book = await this.reader.book(refId);
        if (book === undefined) return;
        if (book.previousClose > 0) this.mirrorMarket.notePreviousClose(refId, book.previousClose);
        const quote = this.mirrorMarket.priced(refId, book.quote);
        if (quote !== undefined && this.state.isLive && !this.stream.hasReceived(refId))
          this.mirrorMarket.note(refId, quote, this.at());
      }
      this.requested.add(refId);
      this.owner?.changed();
    } catch (error) {
      this.failed(error);
      // It is asked for again with the next question about it.
      this.watched.delete(refId);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof SessionDisplaced) return this.displaced();
    if (!(error instanceof NoAnswer)) throw error;
    this.state.say(error.message);
  }

  /** Another day has other instruments. */
  private async renew(): Promise<void> {
    const date = istDate(this.at());
    if (this.state.isDisplaced || date === this.mirrorMarket.instruments.date) return;
    try {
      this.mirrorMarket.renew(await instrumentsOf(this.reader, date));
      this.requested.clear();
      this.watchAnew();
    } catch (error) {
      this.failed(error);
    }
  }
}
