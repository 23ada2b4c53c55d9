import { fundsIn, marginUsedPercent } from '../../../../client/portfolio/portfolio';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { FundsFields } from '../../../../client/endpoints/portfolio';
import { rupeesText } from '../../../../client/values/amounts';
import type { WireRecord } from '../../../../client/values/record';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';
import { isSince12 } from '../../common/version';

export const getFunds: ItemOperation = {
  name: 'Get Funds',
  action: 'Get funds',
  description: 'Get the funds and margin of your account',
  properties: [collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const { connection } = await item.service();
    const funds = await (await portfolioSource(item)).funds();
    return [
      item.output({
        ...fundsIn(unit, funds),
        ...(isSince12(item) ? { margin_used_percent: marginUsedPercent(funds), summary: summaryOf(funds) } : {}),
        environment: connection.environment,
      }),
    ];
  },
};

/** Returns the funds in a sentence: `Available ₹99,85,000.00, blocked as margin ₹15,000.00, at the start of the day ₹1,00,00,000.00.` */
function summaryOf({
  net_margin_available: available,
  total_margin_blocked: blocked,
  start_of_day_funds: start,
}: WireRecord<FundsFields>): string {
  const shown = (paise: unknown): string => (typeof paise === 'number' ? rupeesText(paise) : 'not known');
  return `Available ${shown(available)}, blocked as margin ${shown(blocked)}, at the start of the day ${shown(start)}.`;
}
