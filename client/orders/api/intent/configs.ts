/** Entry conditions and exits from records: normalised, sometimes as lists (docs/service/intent-orders.md#record). */
import type {
  ShownCondition,
  EntryConfigFields,
  ExitConfigFields,
  ExitStateFields,
  ListedExitFields,
  PriceFields,
  ShownExit,
} from '../../../endpoints/intent-orders';
import { UnreadableReplyError } from '../../../base/errors';
import type { Json } from '../../../values/json';
import { asRecord, numberFrom, recordIn, textFrom, wholeNumberFrom, type WireRecord } from '../../../values/record';
import { nanosToMs } from '../../../values/time';
import { exitStatusFrom, timeFrom } from '../../model/order-snapshot';
import { statusFrom } from '../../model/order-status';

/**
 * Returns the price in a wrapper, or bare; null if there is none, or it is switched off.
 * @throws UnreadableReplyError for anything else: an exit whose price cannot be read is still an exit.
 */
function priceIn(value: Json | undefined): number | null {
  const inner = asRecord<PriceFields>(value);
  const price = inner === undefined ? value : inner.disabled === true ? null : inner.value;
  if (price === undefined || price === null || price === '') return null;
  const paise = typeof price === 'number' ? price : wholeNumberFrom(price);
  if (paise === undefined)
    throw new UnreadableReplyError(
      `The service's reply cannot be read: a price of an order is no whole number, but ${JSON.stringify(price).slice(0, 40)}.`,
    );
  return paise === 0 ? null : paise;
}

/** The one object of a config, bare or alone in a list. */
function configIn<T>(value: Json | undefined): WireRecord<T> | undefined {
  return asRecord<T>(Array.isArray(value) ? value[0] : value);
}

const textIn = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Returns a time in its wrapper, or bare, as ISO 8601; null if there is none, or it is switched off. It may come as a number of seconds up
 * to nanoseconds. What cannot be read stays unchanged: an exit whose time cannot be read is still an exit.
 */
function timeIn(value: Json | undefined): string | null {
  const inner = asRecord<PriceFields>(value);
  const time = inner === undefined ? value : inner.disabled === true ? null : inner.value;
  const text = textFrom(time);
  if (time === undefined || time === null || time === '' || (text !== '' && Number(text) === 0)) return null;
  const ms = /^\d{10,19}$/.test(text) ? nanosToMs(timeFrom(text)) : null;
  return ms === null ? text || JSON.stringify(time).slice(0, 40) : new Date(ms).toISOString();
}

/** Conditions of an entry; null for a missing one. */
export interface EntryCondition {
  when: ShownCondition['when'] | null;
  /** Paise. */
  price: number | null;
  /** ISO 8601. */
  time: string | null;
  /** True once the condition was met. */
  triggered: boolean;
}

/** The conditions of `entryConfig.triggers.ltp`, by their names there. */
export const TRIGGER_CONDITIONS = {
  above: 'ABOVE',
  below: 'BELOW',
  atOrAbove: 'AT_OR_ABOVE',
  atOrBelow: 'AT_OR_BELOW',
} as const satisfies Record<string, ShownCondition['when']>;
/** A name of `TRIGGER_CONDITIONS`. */
export type TriggerName = keyof typeof TRIGGER_CONDITIONS;
/** Every name of `TRIGGER_CONDITIONS`. */
export const TRIGGER_NAMES = Object.keys(TRIGGER_CONDITIONS) as TriggerName[];

/** Returns the conditions of an entry from `entryConfig`. */
export function entryOf(value: Json | undefined): EntryCondition {
  const config = configIn<EntryConfigFields>(value);
  const ltp = recordIn(recordIn(config, 'triggers'), 'ltp');
  const name = TRIGGER_NAMES.find((triggerName) => priceIn(ltp?.[triggerName]) !== null);
  return {
    when: name === undefined ? null : TRIGGER_CONDITIONS[name],
    price: name === undefined ? null : priceIn(ltp?.[name]),
    time: timeIn(config?.entryTime),
    triggered: statusFrom(textFrom(config?.status)) === 'TRIGGERED',
  };
}

/** The exits of `exitConfig`: one object with a part for each, or a list of them. */
export function exitsIn(value: Json | undefined): ShownExit[] {
  const list = Array.isArray(value)
    ? value.map((value) => asRecord<ListedExitFields>(value)).filter((item) => item !== undefined)
    : [];
  if (list.some(isListed)) return list.map(listed);
  const config = configIn<ExitConfigFields>(value);
  if (config === undefined) return [];
  const stop = recordIn(config, 'stoplossParams');
  const target = recordIn(config, 'targetParams');
  const trigger = priceIn(stop?.stoplossTriggerPrice);
  const targetTrigger = priceIn(target?.targetProfitTriggerPrice);
  const time = timeIn(config.exitTime);
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
            { status: config.exitTimeStatus, filledQty: config.exitTimeFilledQty },
            'EXIT_TIME',
            null,
            null,
            null,
            time,
          ),
        ]),
  ];
}

const isListed = (wireRecord: WireRecord<ListedExitFields>): boolean =>
  textIn(wireRecord.kind) !== null || priceIn(wireRecord.triggerPrice) !== null;

/** One of a list. Without its kind, a stop loss cannot be told from a target. */
function listed(wireRecord: WireRecord<ListedExitFields>): ShownExit {
  const jump = priceIn(wireRecord.trailJump);
  const time = timeIn(wireRecord.exitTime);
  const kind =
    exitKindIn(wireRecord.kind) ?? (time !== null ? 'EXIT_TIME' : jump !== null ? 'TRAILING_STOP' : 'UNKNOWN');
  return exit(wireRecord, kind, priceIn(wireRecord.triggerPrice), priceIn(wireRecord.limitPrice), jump, time);
}

/** Returns the kind of an exit, in capitals and without its prefix; null if it is missing. */
function exitKindIn(value: Json | undefined): string | null {
  return (
    textIn(value)
      ?.toUpperCase()
      .replace(/^INTENT_EXIT_TRIGGER_KIND_/, '') ?? null
  );
}

/** Returns an exit. A trailing stop loss is recognised by its jump. @param of status and fills. */
function exit(
  { status, filledQty }: WireRecord<ExitStateFields>,
  kind: string,
  trigger: number | null,
  limit: number | null,
  jump: number | null,
  time: string | null,
): ShownExit {
  const isStop = kind === 'STOPLOSS' || kind === 'TRAILING_STOP';
  return {
    kind: isStop ? (jump === null ? 'STOPLOSS' : 'TRAILING_STOP') : kind,
    trigger_price: trigger,
    limit_price: limit,
    ...(jump === null ? {} : { trail_jump: jump }),
    ...(time === null ? {} : { exit_time: time }),
    status: exitStatusFrom(textFrom(status)),
    filled_qty: Math.abs(numberFrom(filledQty)),
  };
}
