/** What an entry waits for and what closes it, as records tell it: normalised, sometimes as lists (intent orders, section 3). */
import { asObject, type Json, type JsonObject } from '../../../values/json';

/** The price in a wrapper, or bare; null where there is none, or it is switched off. */
function priceIn(value: Json | undefined): number | null {
  const inner = asObject(value);
  const price = inner === undefined ? value : inner.disabled === true ? null : inner.value;
  return typeof price === 'number' && price !== 0 ? price : null;
}

/** The one object of a config, bare or alone in a list. */
function configIn(value: Json | undefined): JsonObject | undefined {
  return Array.isArray(value) ? asObject(value[0]) : asObject(value);
}

const textIn = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What an entry waits for; null for what it does not wait for. */
export interface Entry {
  when: 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW' | null;
  /** Paise. */
  price: number | null;
  /** ISO 8601. */
  time: string | null;
  /** Whether it is behind it. */
  triggered: boolean;
}

const WHEN = { above: 'ABOVE', below: 'BELOW', atOrAbove: 'AT_OR_ABOVE', atOrBelow: 'AT_OR_BELOW' } as const;

/** What an entry waits for, of `entryConfig`. */
export function entryOf(value: Json | undefined): Entry {
  const config = configIn(value);
  const ltp = asObject(asObject(config?.triggers)?.ltp);
  const name = (Object.keys(WHEN) as (keyof typeof WHEN)[]).find((one) => priceIn(ltp?.[one]) !== null);
  return {
    when: name === undefined ? null : WHEN[name],
    price: name === undefined ? null : priceIn(ltp?.[name]),
    time: textIn(config?.entryTime),
    triggered: config?.status === 'TRIGGERED',
  };
}

/** One exit, as it comes out. */
interface Exit extends JsonObject {
  /** `STOPLOSS`, `TARGET_PROFIT`, `TRAILING_STOP` or `EXIT_TIME`; `UNKNOWN` where the service does not say; another word as it comes. */
  kind: string;
  trigger_price: number | null;
  limit_price: number | null;
  /** `OPEN`, `TRIGGERED`, `FILLED` or `CANCELLED`. */
  status: string;
  filled_qty: number;
}

/** The exits of `exitConfig`: one object with a part for each, or a list of them. */
export function exitsIn(value: Json | undefined): Exit[] {
  const list = Array.isArray(value) ? value.map((one) => asObject(one)).filter((one) => one !== undefined) : undefined;
  if (list !== undefined && list.some(isListed)) return list.map(listed);
  const config = configIn(value);
  if (config === undefined) return [];
  const stop = asObject(config.stoplossParams);
  const target = asObject(config.targetParams);
  const trigger = priceIn(stop?.stoplossTriggerPrice);
  const targetTrigger = priceIn(target?.targetProfitTriggerPrice);
  const time = textIn(config.exitTime);
  return [
    ...(stop === undefined || trigger === null
      ? []
      : [exit(stop, 'STOPLOSS', trigger, priceIn(stop.stoplossLimitPrice), priceIn(stop.stoplossTrailJump), null)]),
    ...(target === undefined || targetTrigger === null
      ? []
      : [exit(target, 'TARGET_PROFIT', targetTrigger, priceIn(target.targetProfitLimitPrice), null, null)]),
    ...(time === null
      ? []
      : [
          exit(
            { status: config.exitTimeStatus!, filledQty: config.exitTimeFilledQty! },
            'EXIT_TIME',
            null,
            null,
            null,
            time,
          ),
        ]),
  ];
}

const isListed = (one: JsonObject): boolean => textIn(one.kind) !== null || priceIn(one.triggerPrice) !== null;

/** One of a list. Without its kind, a stop loss cannot be told from a target. */
function listed(one: JsonObject): Exit {
  const jump = priceIn(one.trailJump);
  const time = textIn(one.exitTime);
  const kind = textIn(one.kind) ?? (time !== null ? 'EXIT_TIME' : jump !== null ? 'TRAILING_STOP' : 'UNKNOWN');
  return exit(one, kind, priceIn(one.triggerPrice), priceIn(one.limitPrice), jump, time);
}

/** @param of status and fills. A stop loss that moves along is told apart by its jump. */
function exit(
  { status, filledQty }: { status?: Json; filledQty?: Json },
  kind: string,
  trigger: number | null,
  limit: number | null,
  jump: number | null,
  time: string | null,
): Exit {
  const isStop = kind === 'STOPLOSS' || kind === 'TRAILING_STOP';
  return {
    kind: isStop ? (jump === null ? 'STOPLOSS' : 'TRAILING_STOP') : kind,
    trigger_price: trigger,
    limit_price: limit,
    ...(jump === null ? {} : { trail_jump: jump }),
    ...(time === null ? {} : { exit_time: time }),
    status: typeof status === 'string' ? status : 'OPEN',
    filled_qty: typeof filledQty === 'number' ? filledQty : 0,
  };
}
