import { type BrokerageRate, type Tariff, USUAL_TARIFF } from './tariff';

/** Charges of trades beside their prices: `--fees`. */
export interface FeeModel {
  /** Description for a report. */
  readonly words: string;
  readonly tariff: Tariff;
}

/** Dated tables of each tax and fee, and what the broker asks for: India's, and the sandbox's own model. @param whose whose tariff it is */
export function datedFees(tariff: Tariff = USUAL_TARIFF, whose = 'of the sandbox'): FeeModel {
  return { words: `dated tables of each tax and fee; brokerage ${whose}`, tariff };
}

/** Returns the model of a fixed fee (paise) for each order that trades, whatever its size. */
export function fixedFees(paise: number): FeeModel {
  return { words: `fixed: ₹${paise / 100} for each order that trades, and no tax`, tariff: alone({ perOrder: paise }) };
}

/** A part of the traded value. */
export function percentFees(percent: number): FeeModel {
  const perCrore = Math.round(percent * 100_000);
  return {
    words: `percent: ${percent} % of the traded value, and no tax`,
    tariff: alone({ perCrore, cap: Number.MAX_SAFE_INTEGER }),
  };
}

export const NO_FEES: FeeModel = {
  words: 'none: trades cost nothing beside their prices',
  tariff: alone({ perOrder: 0 }),
};

/** One brokerage for everything, and nothing else. */
function alone(brokerage: BrokerageRate): Tariff {
  return {
    brokerage: { delivery: brokerage, intraday: brokerage, futures: brokerage, options: brokerage },
    depository: 0,
    interest: 0,
    statutory: false,
  };
}
