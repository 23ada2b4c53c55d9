import { booksOf, type AccountingBasis, type BookedQuarter } from '../market/companies/books';
import {
  fincodeOf,
  isCompany,
  sharesOn,
  traitsOf,
  type CompanySources,
  type PaidDividend,
  type CompanyTraits,
} from '../market/companies/company';
import { eventsOf } from '../market/companies/events';
import { holdersOn, type Holder } from '../market/companies/holders';
import { publishedBefore, type Quarter } from '../market/companies/quarters';
import { keyRatios, technicalRatios } from '../market/companies/ratios';
import { periodsOf, statementOf, type StatementName } from '../market/companies/statements';
import type { Instrument } from '../market/reference/types';
import { istDate } from '../shared/time';
import { sessionUser } from '../web/authentication';
import { ApiError } from '../web/errors';
import { exchangeOf, wholeOf } from '../web/input';
import { replySchemas } from '../web/reply-schemas';
import type { RouteContext } from '../web/route-context';
import { EXCHANGE, parameters, SESSION_SECURITY } from '../web/schema';

const DAY_MS = 86_400_000;
const TAGS = ['Companies'];
const STATEMENTS: Record<StatementName, string> = {
  balance_sheet: 'Balance sheets',
  cash_flow: 'Cash flows',
  profit_loss: 'Profit and loss',
};
const BASES = ['CONSOLIDATED', 'STANDALONE'] as const;
const SPANS = ['ANNUAL', 'QUARTERLY'] as const;
const USUAL_PERIODS = 5;
const MAX_PERIODS = 40;
/** Accounts may tell of dividends of so long before the sandbox begins: the invented ones end before. */
const HISTORY_DAYS = 100;
/** Daily candles for the indicators are of so many days. */
const CANDLE_DAYS = 120;
const HOLDER_LABELS: [label: string, holders: Holder[]][] = [
  ['Promoters', ['promoter']],
  ['Institutions', ['fiis', 'mf', 'other_domestic_insti']],
  ['Public', ['retail_other']],
];
const CHILD_LABELS: Partial<Record<Holder, string>> = {
  fiis: 'Foreign Institutions',
  mf: 'Mutual Funds',
  other_domestic_insti: 'Other Domestic Institutions',
};

const SYMBOL = 'Trading symbol of a share';
const PERIODS = {
  limit: `Periods, at most ${MAX_PERIODS}; ${USUAL_PERIODS} when left out`,
  offset: 'Periods to leave out, from the latest',
};

/** Facts of a company now. */
interface Company {
  share: Instrument;
  traits: CompanyTraits;
  sources: CompanySources;
  quarters: Quarter[];
}

/**
 * Company figures. The first path is seen; the others are only named, and have the form in which the maker's library would ask for them
 * (docs/service/market-data.md#company-figures).
 */
export function companyRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);

  app.get(
    '/screener/fetch_company_fundamentals',
    {
      schema: {
        tags: TAGS,
        summary: 'Key ratios and holders of a company',
        response: schemas.keyRatios,
        querystring: parameters({ symbol: SYMBOL, exchange: EXCHANGE, fundamentals_type: BASES.join(' or ') }),
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const query = request.query as Query;
      const { share, traits, sources, quarters } = companyOf(query);
      const books = bookedOf({ share, traits, sources, quarters }, basisOf(query));
      const { world, instant: at } = sandbox;
      const price = world.lastPrice(share);
      const { promoter, fiis, mf, other_domestic_insti, retail_other } = holdersOn(traits, quarters.at(-1)!);
      return {
        message: 'company fundamentals',
        result: {
          keyratios_shareholding: {
            symbol: share.symbol,
            fincode: traits.fincode,
            ltp: price,
            close_price: world.market.previousClose(share, at),
            key_ratios: keyRatios(books.quarters, price, sharesOn(traits, sources.actions, istDate(at))),
            shareholding_keys: {
              promoter: promoter / 100,
              mf: mf / 100,
              retail_other: retail_other / 100,
              fiis: fiis / 100,
              other_domestic_insti: other_domestic_insti / 100,
            },
            technical_indicators: technicalRatios(
              world.market.bars(share, '1d', at - CANDLE_DAYS * DAY_MS, at, at + 1).map(({ close }) => close),
            ),
          },
        },
      };
    },
  );

  for (const [name, summary] of Object.entries(STATEMENTS) as [StatementName, string][])
    app.get(
      `/screener/fetch_${name}`,
      {
        schema: {
          tags: TAGS,
          summary: `${summary} of a company`,
          response: schemas.statements,
          querystring: parameters({
            symbol: SYMBOL,
            exchange: EXCHANGE,
            fundamentals_type: BASES.join(' or '),
            result_type: SPANS.join(' or '),
            ...PERIODS,
          }),
          security: SESSION_SECURITY,
        },
      },
      async (request) => {
        sessionUser(sandbox, request);
        const query = request.query as Query;
        const company = companyOf(query);
        const isAnnual = wordOf('result_type', query.result_type, SPANS) === 'ANNUAL';
        const { quarters } = bookedOf(company, basisOf(query));
        const shares = sharesOn(company.traits, company.sources.actions, istDate(sandbox.instant));
        return {
          message: summary.toLowerCase(),
          result: { [name]: statementOf(name, paged(periodsOf(quarters, isAnnual), query), shares) },
        };
      },
    );

  app.get(
    '/screener/fetch_corporate_actions',
    {
      schema: {
        tags: TAGS,
        summary: 'Corporate actions of a company',
        response: schemas.corporateEvents,
        querystring: parameters({ symbol: SYMBOL, exchange: EXCHANGE }),
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const company = companyOf(request.query as Query);
      const { traits, sources, quarters } = company;
      const known = {
        today: istDate(sandbox.instant),
        published: quarters.length,
        calendar: sandbox.world.market.calendar,
      };
      const { dividends } = bookedOf(company, 'CONSOLIDATED');
      return {
        message: 'corporate actions',
        result: { corporate_actions: eventsOf(traits, sources.actions, dividends, known) },
      };
    },
  );

  app.get(
    '/screener/fetch_shareholding_pattern',
    {
      schema: {
        tags: TAGS,
        summary: 'Holders of a company, quarter by quarter',
        response: schemas.shareholding,
        querystring: parameters({ fincode: 'fincode of the key ratios', ...PERIODS }),
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const query = request.query as Query;
      const { traits, quarters } = companyOf(query, shareNumbered(query.fincode));
      const shown = paged([...quarters].reverse(), query);
      return {
        message: 'shareholding pattern',
        result: {
          shareholding_pattern: {
            dates: shown.map(({ month }) => month),
            data: HOLDER_LABELS.map(([label, holders]) => ({
              label,
              is_key_ratio: false,
              values: shown.map((quarter) => {
                const held = holdersOn(traits, quarter);
                const children = holders.map((holder) => ({
                  label: CHILD_LABELS[holder] ?? label,
                  value: held[holder] / 100,
                }));
                const value = holders.reduce((sum, holder) => sum + held[holder], 0) / 100;
                return { date: quarter.month, value, shareholding_children: holders.length > 1 ? children : null };
              }),
            })),
          },
        },
      };
    },
  );

  /** @throws ApiError 400 without a symbol, 404 for what is no share of a company */
  function companyOf(query: Query, share = shareNamed(query)): Company {
    const { options, world, instant } = sandbox;
    if (options.replay !== undefined || options.mirror !== undefined)
      throw new ApiError(
        404,
        'Company figures are invented to go with invented prices: start the sandbox without --replay and --mirror',
      );
    const { market, corporateActions, startAt } = world;
    const traits = traitsOf(share, sandbox.seed);
    const actions = corporateActions.of(share.refId);
    const sources: CompanySources = {
      market,
      actions,
      paid: paidTo(share, new Set(actions.map(({ exDate }) => exDate))),
      historyFrom: startAt - HISTORY_DAYS * DAY_MS,
    };
    return { share, traits, sources, quarters: publishedBefore(istDate(instant), traits.key, market.calendar) };
  }

  function shareNamed({ symbol, exchange }: Query): Instrument {
    if (typeof symbol !== 'string' || symbol === '') throw new ApiError(400, 'symbol is required');
    const share = sandbox.world.universe().bySymbol(exchangeOf(exchange), symbol);
    if (share === undefined || !isCompany(share)) throw new ApiError(404, `There is no company ${symbol}`);
    return share;
  }

  function shareNumbered(fincode: string | undefined): Instrument {
    const number = wholeOf('fincode', fincode, 0, Number.MAX_SAFE_INTEGER);
    if (number === 0) throw new ApiError(400, 'fincode is required');
    for (const share of sandbox.world.universe().all(undefined, ['STOCK']))
      if (isCompany(share) && fincodeOf(share) === number) return share;
    throw new ApiError(404, `There is no company with fincode ${number}`);
  }

  /** Dividends of a share that accounts here were paid, but those of announced actions. */
  function paidTo(share: Instrument, announced: ReadonlySet<string>): PaidDividend[] {
    const { users, accounts } = sandbox.world;
    const refIds = Object.values(sandbox.world.listings(share));
    const parts = new Map<string, PaidDividend>();
    for (const { clientCode } of users.all())
      for (const { kind, refId, date, perShare } of accounts.ledger(clientCode))
        if (kind === 'DIVIDEND' && refIds.includes(refId) && perShare !== undefined && !announced.has(date))
          parts.set(`${date} ${perShare}`, { date, perShare });
    return [...parts.values()];
  }
}

interface Query {
  symbol?: string;
  exchange?: string;
  fundamentals_type?: string;
  result_type?: string;
  fincode?: string;
  limit?: string;
  offset?: string;
}

/** The published books of a company. */
function bookedOf(
  { share, traits, sources, quarters }: Company,
  basis: AccountingBasis,
): { quarters: BookedQuarter[]; dividends: PaidDividend[] } {
  return booksOf(share, traits, sources, basis, quarters.length - 1);
}

const basisOf = ({ fundamentals_type }: Query): AccountingBasis =>
  wordOf('fundamentals_type', fundamentals_type, BASES);

/** One of some words, in any case; the first when it is left out. @throws ApiError 400 */
function wordOf<T extends string>(name: string, text: string | undefined, words: readonly [T, ...T[]]): T {
  if (text === undefined || text === '') return words[0];
  const word = words.find((known) => known === String(text).toUpperCase());
  if (word === undefined) throw new ApiError(400, `${name} must be ${words.join(' or ')}, not "${String(text)}"`);
  return word;
}

/** The periods that a question wants. @throws ApiError 400 */
function paged<T>(periods: readonly T[], { limit, offset }: Query): T[] {
  const from = wholeOf('offset', offset, 0, 1_000);
  return periods.slice(from, from + wholeOf('limit', limit, USUAL_PERIODS, MAX_PERIODS));
}
