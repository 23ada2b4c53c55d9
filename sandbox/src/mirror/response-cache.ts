import type { LiveAnswer, LiveQuestion } from '../market/mirror/types';

const MINUTE = 60_000;
/** Time for which answers are kept, milliseconds: end-of-day files do not change any more. */
const KEPT_MS: Record<LiveQuestion['kind'], number> = { chain: 1_000, candles: 5_000, bhavcopy: 6 * 60 * MINUTE };
const MAX_RESPONSES = 200;
/** Requests for history in a minute (docs/service/limits.md#rate-limits). */
const MAX_PER_MINUTE = 60;

interface CachedResponse {
  until: number;
  answer: Promise<LiveAnswer>;
}

/** Asks the live side within its limits: who asks the same again gets what is kept. */
export class ResponseCache {
  private readonly responses = new Map<string, CachedResponse>();
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
    const response = this.responses.get(key);
    if (response !== undefined && now < response.until) return response.answer;
    this.requested = this.requested.filter((at) => at > now - MINUTE);
    if (this.requested.length >= MAX_PER_MINUTE) return undefined;
    this.requested.push(now);
    const answer = this.ask(question).then(
      (liveAnswer) => {
        if (liveAnswer.status !== 200) this.responses.delete(key);
        return liveAnswer;
      },
      (error: unknown) => {
        this.responses.delete(key);
        throw error;
      },
    );
    this.responses.delete(key);
    this.responses.set(key, { until: now + KEPT_MS[question.kind], answer });
    if (this.responses.size > MAX_RESPONSES) this.responses.delete(this.responses.keys().next().value as string);
    return answer;
  }
}
