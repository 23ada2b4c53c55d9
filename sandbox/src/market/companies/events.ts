/** Corporate actions of a company, past and to come, as the service lists them. */
import type { CorporateAction } from '../../shared/corporate-actions';
import { rupees } from '../../shared/money';
import type { Calendar } from '../reference/types';
import type { PaidDividend, CompanyTraits } from './company';
import { quarterOf, resultsOn } from './quarters';

/** Board meetings that are listed, of results that were published. */
const PAST_MEETINGS = 4;

/** One entry; dates are YYYY-MM-DD, `amount` is paise a share. */
export interface CompanyEvent {
  corp_action_name: string;
  action_type: string;
  upcoming_event: boolean;
  record_date: string | null;
  execution_date: string | null;
  ratio1: number | null;
  ratio2: number | null;
  dividend_type: string | null;
  amount: number | null;
}

const NONE = {
  record_date: null,
  execution_date: null,
  ratio1: null,
  ratio2: null,
  dividend_type: null,
  amount: null,
};

/**
 * Events of a company that are known on a day (YYYY-MM-DD), latest first.
 * @param known.published number of quarters whose results are out
 */
export function eventsOf(
  traits: CompanyTraits,
  actions: readonly CorporateAction[],
  dividends: readonly PaidDividend[],
  { today, published, calendar }: { today: string; published: number; calendar: Calendar },
): CompanyEvent[] {
  const meetings = Array.from({ length: PAST_MEETINGS + 1 }, (_, back) => published - back)
    .filter((index) => index >= 0)
    .map((index): CompanyEvent => {
      const quarter = quarterOf(index);
      const date = resultsOn(quarter, traits.key, calendar);
      return {
        ...NONE,
        corp_action_name: `Board Meeting: results of the quarter to ${quarter.end}`,
        action_type: 'Board_Meeting',
        upcoming_event: date >= today,
        execution_date: date,
      };
    });
  const paid = dividends.map(({ date, perShare }) => dividendOn(date, perShare, today));
  const open = actions
    .filter(({ dividend, close }) => dividend > 0 && close === undefined)
    .map(({ exDate, dividend }) => dividendOn(exDate, dividend, today));
  const otherEvents = actions
    .filter(({ dividend }) => dividend === 0)
    .map(({ kind, before, after, exDate }): CompanyEvent => {
      const [ratio1, ratio2] = kind === 'bonus' ? [after - before, before] : [after, before];
      return {
        ...NONE,
        corp_action_name: kind === 'bonus' ? `Bonus issue ${ratio1}:${ratio2}` : `Split of 1 share into ${after}`,
        action_type: kind === 'bonus' ? 'Bonus' : 'Split',
        upcoming_event: exDate >= today,
        record_date: exDate,
        execution_date: exDate,
        ratio1,
        ratio2,
      };
    });
  const dateOf = ({ record_date, execution_date }: CompanyEvent): string => execution_date ?? record_date ?? '';
  return [...meetings, ...paid, ...open, ...otherEvents].sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1));
}

function dividendOn(date: string, perShare: number, today: string): CompanyEvent {
  return {
    ...NONE,
    corp_action_name: `Dividend of Rs ${rupees(perShare)} a share`,
    action_type: 'Dividend',
    upcoming_event: date >= today,
    record_date: date,
    execution_date: date,
    dividend_type: 'Final',
    amount: perShare,
  };
}
