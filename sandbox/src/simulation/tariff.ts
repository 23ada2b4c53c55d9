import { readFileSync } from 'node:fs';
import { type BrokerageRate, type Tariff, type TariffSegment, USUAL_TARIFF } from '../accounts/tariff';
import { OptionError } from '../shared/option-error';

const SEGMENTS: readonly TariffSegment[] = ['delivery', 'intraday', 'futures', 'options'];
/** A percent of turnover is so many rupees per crore. */
const PER_CRORE = 100_000;
const MAX_BYTES = 65_536;
/** Nobody asks for more than these: percent of the turnover, rupees an order or a share, percent a year. */
const MAX_PERCENT = 10;
const MAX_RUPEES = 100_000;
const MAX_INTEREST = 100;

/**
 * Returns the tariff of `--tariff`: a JSON file with `brokerage`, `depository` and `interest`; what it leaves out is the sandbox's own.
 * @throws OptionError that names what cannot be understood
 */
export function tariffOf(file: string | undefined): Tariff {
  if (file === undefined) return USUAL_TARIFF;
  const given = objectOf(file, 'the tariff', parsed(file), ['brokerage', 'depository', 'interest']);
  const brokerage = objectOf(file, 'brokerage', given['brokerage'] ?? {}, SEGMENTS);
  return {
    brokerage: Object.fromEntries(
      SEGMENTS.map((segment) => [
        segment,
        brokerage[segment] === undefined
          ? USUAL_TARIFF.brokerage[segment]
          : brokerageOf(file, `brokerage.${segment}`, brokerage[segment]),
      ]),
    ) as Record<TariffSegment, BrokerageRate>,
    depository: amountOf(file, 'depository', given['depository'], 100, MAX_RUPEES) ?? USUAL_TARIFF.depository,
    interest: amountOf(file, 'interest', given['interest'], 100, MAX_INTEREST) ?? USUAL_TARIFF.interest,
    statutory: true,
  };
}

function parsed(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} characters`);
    return JSON.parse(text);
  } catch (error) {
    throw new OptionError(`--tariff ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function objectOf(file: string, name: string, value: unknown, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OptionError(`--tariff ${file}: ${name} must be an object with ${keys.join(', ')}.`);
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw new OptionError(`--tariff ${file}: ${name} has no "${other}"; it may have ${keys.join(', ')}.`);
  return value as Record<string, unknown>;
}

/** `{"percent": 0.03, "atMost": 20}`, without a cap `{"percent": 0.3}`, or `{"perOrder": 20}`. */
function brokerageOf(file: string, name: string, value: unknown): BrokerageRate {
  const brokerage = objectOf(file, name, value, ['percent', 'atMost', 'perOrder']);
  const perOrder = amountOf(file, `${name}.perOrder`, brokerage['perOrder'], 100, MAX_RUPEES);
  const perCrore = amountOf(file, `${name}.percent`, brokerage['percent'], PER_CRORE, MAX_PERCENT);
  const cap = amountOf(file, `${name}.atMost`, brokerage['atMost'], 100, MAX_RUPEES);
  if (perOrder !== undefined && perCrore === undefined && cap === undefined) return { perOrder };
  if (perOrder === undefined && perCrore !== undefined) return { perCrore, cap: cap ?? Number.MAX_SAFE_INTEGER };
  throw new OptionError(
    `--tariff ${file}: ${name} must be {"percent": 0.03, "atMost": 20} (percent of the turnover, rupees an order), the same without atMost, or {"perOrder": 20}.`,
  );
}

/** A number in whole parts; `parts` of them make one. */
function amountOf(file: string, name: string, value: unknown, parts: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  const whole = typeof value === 'number' ? Math.round(value * parts) : NaN;
  if (typeof value === 'number' && value >= 0 && value <= max && Math.abs(whole - value * parts) < 1e-6) return whole;
  throw new OptionError(
    `--tariff ${file}: ${name} must be a number from 0 to ${max} with at most ${String(parts).length - 1} decimals.`,
  );
}
