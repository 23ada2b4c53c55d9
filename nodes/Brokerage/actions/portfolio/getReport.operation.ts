import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import type { Canvas } from '../../../../client/charts/canvas';
import { encodePng } from '../../../../client/charts/png';
import type { FundsFields } from '../../../../client/endpoints/portfolio';
import { holdingsChart } from '../../../../client/portfolio/chart';
import { positionBars, profitChart } from '../../../../client/portfolio/profit-bars';
import { reportHtml } from '../../../../client/portfolio/report/html';
import {
  REPORT_PARTS,
  dayResultOf,
  reportSummary,
  sectionsOf,
  type DayResult,
  type ReportCharges,
  type ReportFacts,
  type ReportPart,
} from '../../../../client/portfolio/report/sections';
import { reportText } from '../../../../client/portfolio/report/text';
import type { JsonObject } from '../../../../client/values/json';
import { paiseTo } from '../../../../client/values/money';
import { numberIn, type WireRecord } from '../../../../client/values/record';
import { istTimeOfDay, showDate } from '../../../../client/values/time';
import { accountOf } from '../../../shared/accountApi';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { marketDate } from '../../../shared/lookup';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';
import { isForAgent, isSince12 } from '../../common/version';

const PICTURES = ['dayResult', 'holdings', 'positions'] as const;
type Picture = (typeof PICTURES)[number];

/** The output field of each picture, and the beginning of its file name. */
const FILES = { dayResult: 'day_result', holdings: 'holdings', positions: 'positions' } as const;

const partsField: INodeProperties = {
  displayName: 'Parts',
  name: 'parts',
  type: 'multiOptions',
  options: [
    { name: 'Charges', value: 'charges' },
    { name: "Day's Result", value: 'dayResult' },
    { name: 'Holdings', value: 'holdings' },
    { name: 'Orders', value: 'orders' },
    { name: 'Positions', value: 'positions' },
  ],
  default: ['dayResult', 'positions', 'holdings'],
  description: 'What the report tells. Choose none for all.',
};

const picturesField: INodeProperties = {
  displayName: 'Pictures',
  name: 'pictures',
  type: 'multiOptions',
  options: [
    { name: "Day's Result", value: 'dayResult', description: 'In the output field day_result' },
    { name: 'Holdings', value: 'holdings', description: 'In the output field holdings' },
    { name: 'Positions', value: 'positions', description: 'In the output field positions' },
  ],
  default: [],
  description: 'Pictures (PNG) to add as files, for an e-mail or a message',
};

export const getReport: ItemOperation = {
  name: 'Get Report',
  action: 'Get a report of the portfolio',
  description:
    "Get positions, holdings, the day's result, orders and charges as a ready HTML table for an e-mail and as text for a message, in one item, with pictures if you like",
  properties: [partsField, collection('Options', 'options', [picturesField, priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const chosen = item.choices('parts', REPORT_PARTS);
    const parts: readonly ReportPart[] = chosen.length === 0 ? REPORT_PARTS : chosen;
    const pictures = item.group('options').choices('pictures', PICTURES);
    const { connection, transport } = await item.service();
    const facts = await factsOf(item, parts);
    const result = dayResultOf(facts);
    const now = transport.marketClock.now();
    const { date } = facts;
    const title = `Your portfolio on ${showDate(date)}`;
    const subtitle = `As of ${istTimeOfDay(now).slice(0, 5)} IST`;
    const sections = sectionsOf(parts, facts);
    const open = facts.positions.positions.filter(({ segment }) => segment !== 'closed').length;
    const json = {
      subject: title,
      ...(isSince12(item) ? { summary: reportSummary(showDate(date), result, open) } : {}),
      ...(isForAgent(item) ? {} : { html: reportHtml(title, subtitle, sections) }),
      text: reportText(title, subtitle, sections),
      is_empty: open + facts.holdings.holdings.length + facts.orders.length === 0,
      open_positions: open,
      holdings: facts.holdings.holdings.length,
      day_result: paiseTo(unit, result.total),
      day_result_after: result.after,
      date,
      environment: connection.environment,
    };
    const binary: IBinaryKeyData = {};
    for (const picture of pictures) {
      const bytes = await encodePng(canvasOf(picture, facts, result));
      const fileName = `${FILES[picture]}-${date}.png`;
      const { helpers } = item.run.functions;
      binary[FILES[picture]] = await helpers.prepareBinaryData(Buffer.from(bytes), fileName, 'image/png');
    }
    return [item.outputWithFiles(json, binary)];
  },
};

/** Returns the data of the sections; orders and charges are requested only for their sections. */
async function factsOf(item: ItemContext, parts: readonly ReportPart[]): Promise<ReportFacts> {
  const source = await portfolioSource(item);
  const service = await item.service();
  const holdings = await source.holdings();
  const positions = await source.positions();
  const orders = parts.includes('orders') ? await accountOf(service).orders.list(item.run.signal, 'marked') : [];
  const needsCharges = parts.includes('charges') || parts.includes('dayResult');
  return {
    date: marketDate(service.transport),
    positions: { ...positions, positions: sortedBy('symbol', positions.positions) },
    holdings: { ...holdings, holdings: sortedBy('symbol', holdings.holdings) },
    orders: sortedBy('order_time', orders),
    charges: needsCharges ? chargesIn(await source.funds()) : { brokerage: null, all: null },
  };
}

/** Charges in the funds of an account: the newer interface tells the brokerage alone. */
const chargesIn = (funds: WireRecord<FundsFields>): ReportCharges => ({
  brokerage: numberIn(funds, 'brokerage'),
  all: numberIn(funds, 'total_charges'),
});

/** Sorts rows by a field as text, since the service's lists have no order. */
function sortedBy<Row extends JsonObject>(field: string, rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (String(a[field] ?? '') < String(b[field] ?? '') ? -1 : 1));
}

function canvasOf(picture: Picture, { date, positions, holdings }: ReportFacts, result: DayResult): Canvas {
  if (picture === 'holdings') return holdingsChart(holdings.holdings);
  if (picture === 'positions') {
    const { realised, unrealised } = result;
    const total = realised === null || unrealised === null ? null : realised + unrealised;
    return profitChart(
      { title: 'Positions', total, empty: 'No positions today' },
      positionBars(positions.positions, date),
    );
  }
  const { charges, after } = result;
  return profitChart({ title: 'Result of the day', total: result.total, empty: '' }, [
    { label: 'Closed trades', amount: result.realised },
    { label: 'Open positions', amount: result.unrealised },
    { label: 'Holdings', amount: result.holdings },
    ...(charges === null ? [] : [{ label: after === 'brokerage' ? 'Brokerage' : 'Charges', amount: -charges }]),
  ]);
}
