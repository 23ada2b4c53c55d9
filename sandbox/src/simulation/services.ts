import type { ServiceDialect } from './dialect';

export type FundsOption = 'checked' | 'unchecked';
/** Requests a second on trading paths: 10 as on live, 100 as on UAT, or any number. */
export type RateLimitOption = 'live' | 'uat' | 'off';

/** Settings of one word of `--as`. */
interface ServicePreset {
  funds: FundsOption;
  rateLimit: RateLimitOption;
  /** The switches that differ from the specification. */
  dialect: Partial<ServiceDialect>;
}

/** The live service as it has been seen (docs/service/differences.md). */
const LIVE: ServicePreset = {
  funds: 'checked',
  rateLimit: 'live',
  dialect: {
    multi_response: 'object',
    empty_list: 'null',
    second_bars: 'seven_days',
    refused_question: '500',
    basket_reply: 'trailing',
    pending_order_time: 'garbage',
    // Every public client that works there sends a number; whether text is taken, nobody has told.
    totp_number: 'required',
    intent_ids: 'short',
    intent_single: 'multi',
    intent_configs: 'list',
    intent_empty_bucket: 'null',
    // Programs that work there read `netQty`, others `netQuantity`; with both, each finds what it reads.
    intent_position_names: 'both',
    qty_multiplier: 'missing',
    mcx_stock_name: 'full',
    strat_tags: 'optional',
    position_status: 'told',
  },
};

/** The service by the words of `--as`. Its test environment, UAT, keeps less, and asks for no money. */
export const SERVICE_PRESETS = {
  specification: { funds: 'checked', rateLimit: 'uat', dialect: {} },
  live: LIVE,
  uat: {
    funds: 'unchecked',
    rateLimit: 'uat',
    dialect: {
      ...LIVE.dialect,
      monthly_interval: '1mt',
      order_service_ws_url: 'empty',
      intent_order_price: 'missing',
      candle_history: 'seven_months',
    },
  },
} satisfies Record<string, ServicePreset>;

export type ServicePresetName = keyof typeof SERVICE_PRESETS;
export const SERVICE_PRESET_NAMES = Object.keys(SERVICE_PRESETS) as ServicePresetName[];
