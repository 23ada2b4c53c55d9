import type { LiveAnswer, LiveQuestion } from '../market/mirror/types';

const MINUTE = 60_000;
/** Time for which answers are kept, milliseconds: end-of-day files do not change any more. */
const KEPT_MS: Record<LiveQuestion['kind'], number> = { chain: 1_000, candles: 5_000, bhavcopy: 6 * 60 * MINUTE };
const MAX_RESPONSES = 200;
/** Requests for history in a minute (docs/service/limits.md#rate-limits). */
const MAX_PER_MINUTE = 60;

interface Kept {
  until: number;
  answer: Promise<LiveAnswer>;
}

/** Asks the live side within its limits: who asks the same again gets what is kept. */
export class ResponseCache {
  private readonly kept = new Map<string, Kept>();
  private requested: number[] = [];

  /** @param ask asks the live side. @param now milliseconds */
  constructor(
    private readonly ask: (question: LiveQuestion) => Promise<LiveAnswer>,
    private readonly now: () => number,
  ) {}

  /** The answer, kept or new; undefined when the limit leaves no room for another question. */
  of(question: LiveQuestion): Promise<LiveAnswer> | undefined {
    const now = this.now();
    const key = JSON.stringify(question);
    const known = this.kept.get(key);
    if (known !== undefined && now < known.until) return known.answer;
    this.requested = this.requested.filter((at) => at > now - MINUTE);
    if (this.requested.length >= MAX_PER_MINUTE) return undefined;
    this.requested.push(now);
    const answer = this.ask(question).then(
      (found) => {
        if (found.status !== 200) this.kept.delete(key);
        return found;
      },
      (error: unknown) => {
        this.kept.delete(key);
        throw error;
      },
    );
    this.kept.delete(key);
    this.kept.set(key, { until: now + KEPT_MS[question.kind], answer });
    if (this.kept.size > MAX_RESPONSES) this.kept.delete(this.kept.keys().next().value as string);
    return answer;
  }
}
