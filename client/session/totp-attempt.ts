/**
 * Sends a TOTP code in the form that the service reads. The specification says text; every public client that works on the live service
 * sends a number (docs/service/login-and-session.md#totp-code-as-text-or-number). The text goes first. What refuses the form of the
 * request is answered by the other
 * form, once; what refuses the code is never answered by the same code.
 */
import type { Clock } from '../base/ports';
import { unavailableProblem } from './login-errors';
import { totpLogin, type StepResult, type LoginTransport } from './login-steps';
import type { LoginState } from './login-state';
import { SLOW_NETWORK_LIFE_MS, clockSkewSeconds, nextTotpStep, totpCode, totpStep } from './totp';

/** Form of a code in the request. */
export type TotpForm = 'text' | 'number';

/** Result of the codes of one login. */
export interface TotpAttempt {
  /** The last reply: the auth token, or a refusal. */
  reply: StepResult<string>;
  /** The forms that were sent, in their order. */
  tried: readonly TotpForm[];
}

/** Words of a program that cannot read a request; they say nothing of a code. */
const UNREADABLE =
  /unmarshal|\bpars(e|ing)\b|decod(e|ing)|deseriali[sz]|\bjson\b|(invalid|wrong|unexpected|bad|data|value|mismatched|incorrect)[ _]type\b|type[ _](error|mismatch)|cannot (be )?(convert|cast)|could not be converted|(should|must) be (of type |an? )*(valid )?(number|numeric|integer|int|string|text)\b|(expected|not) (an? )*(valid )?(number|numeric|integer|int\d*|string|float\d*)\b|field validation|\bint_(type|parsing)\b/i;
/** Words for a field of a request. */
const OF_A_FIELD = /\b(field|required|missing|format|body|payload|malformed|type)\b/i;
const NAMES_THE_REQUEST = /totp|\b(request|body|payload)\b/i;
/** Words for a code that was read, and is not the right one. */
const OF_A_CODE =
  /\b(wrong|incorrect|expired|mismatch(ed)?|already|used|attempts?|(does not|doesn't|did not|didn't|not) match)\b|\binvalid (totp|otp|code|one[- ]time)\b(?! (format|type|field))/i;

/**
 * Returns true if a refusal concerns the form of the request, so that the service did not check the code. In doubt it concerns the code.
 * @param refused the service's answer.
 */
export function isFormRefusal(refused: StepResult<string>): boolean {
  if (refused.ok || refused.isForeign || refused.attemptsLeft !== undefined) return false;
  const { status, words } = refused;
  if (status < 400 || status === 429) return false;
  if (UNREADABLE.test(words)) return true;
  const isOfRequest = status === 400 || status === 422;
  return isOfRequest && NAMES_THE_REQUEST.test(words) && OF_A_FIELD.test(words) && !OF_A_CODE.test(words);
}

const other = (form: TotpForm): TotpForm => (form === 'text' ? 'number' : 'text');

/**
 * Sends the code of this moment, and at most once more: in the other form where the service could not read the request, or the next code
 * where one died on its way. A code goes out twice only where its form was refused.
 * @param memory is changed: the steps that were sent, and the form that the service reads.
 */
export async function sendTotp(
  tools: { wire: LoginTransport; clock: Clock },
  { phone, totpSecret }: { phone: string; totpSecret: string },
  memory: LoginState,
): Promise<TotpAttempt> {
  const { wire, clock } = tools;
  const send = async (form: TotpForm, step: number): Promise<StepResult<string>> => {
    memory.usedSteps.push(step);
    const code = totpCode(totpSecret, step);
    return await totpLogin(wire, phone, form === 'text' ? code : Number(code));
  };
  const nextStep = async (shortestLifeMs?: number): Promise<number> =>
    await nextTotpStep(clock, memory.usedSteps, wire.signal, shortestLifeMs);

  const form = memory.totpForm ?? 'text';
  const step = await nextStep();
  const reply = await send(form, step);
  if (isFormRefusal(reply)) {
    // Stored before sending: after a lost reply the same form must not be refused a second time.
    memory.totpForm = other(form);
    const isOver = totpStep(clock.now()) !== step;
    const second = await send(memory.totpForm, isOver ? await nextStep() : step);
    if (isFormRefusal(second)) memory.totpForm = undefined;
    return { reply: second, tried: [form, other(form)] };
  }
  // A code that died on its way says nothing about the secret: the next one is sent early in its life.
  const diedOnTheWay =
    !reply.ok && !reply.isForeign && unavailableProblem(reply) === undefined && totpStep(clock.now()) > step;
  if (!diedOnTheWay || clockSkewSeconds(clock.now(), reply.date) !== undefined) return { reply, tried: [form] };
  return { reply: await send(form, await nextStep(SLOW_NETWORK_LIFE_MS)), tried: [form] };
}
