import type { INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { BAR_LENGTHS, isIntraday, readBarHistory } from '../../../../client/indicators/history';
import { warmUpBars } from '../../../../client/indicators/indicators';
import { analyse, requireNames } from '../../../../client/indicators/output';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { INTERVAL_NAMES, intervalOptions } from '../../../shared/intervals';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import type { ItemOperation } from '../../common/operation';
import { groupsOf, openBarField } from './fields';
import { crossingsField, crossingsOf, indicatorsField, indicatorsOf } from './indicatorFields';
import { findInstruments } from '../../common/itemInstrument';

const MAX_BARS = 5_000;

export const addIndicators: ItemOperation = {
  name: 'Add Indicators',
  action: 'Add indicators to candles',
  description:
    'Get RSI, EMA, SMA, MACD, Bollinger Bands, ATR, Supertrend, VWAP, ADX and the average volume of one or more instruments, and whether they crossed: for the last closed bar, or for many. The bars are read by the node itself.',
  properties: [
    instrumentField,
    {
      displayName: 'Interval',
      name: 'interval',
      type: 'options',
      options: intervalOptions(BAR_LENGTHS),
      default: '1d',
      description: 'The length of one bar',
    },
    indicatorsField,
    crossingsField,
    {
      displayName: 'Bars',
      name: 'bars',
      type: 'options',
      options: [
        { name: 'All', value: 'all', description: 'All bars that the service has, one item each' },
        { name: 'Last Closed Bar', value: 'last', description: 'One item for each instrument' },
        { name: 'Last Several', value: 'several', description: 'The newest bars, one item each' },
      ],
      default: 'last',
      description: 'Which bars to return. The bars before them are read too, because indicators need them.',
    },
    {
      displayName: 'Number of Bars',
      name: 'count',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MAX_BARS },
      default: 50,
      displayOptions: { show: { bars: ['several'] } },
      description: 'How many bars of each instrument to return',
    },
    collection('Options', 'options', [openBarField, moreInstrumentsField, priceUnitField]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const length = item.choice('interval', BAR_LENGTHS);
    const indicators = indicatorsOf(item);
    requireNames(indicators);
    const crossings = crossingsOf(item);
    const withOpenBar = item.group('options').flag('openBar');
    const bars = item.choice('bars', ['all', 'last', 'several'] as const);
    const count = bars === 'all' ? Infinity : bars === 'last' ? 1 : item.whole('count', { min: 1, max: MAX_BARS });
    const isVwapAdded = indicators.some(({ indicator }) => indicator.kind === 'vwap');
    const needsVolume = isVwapAdded || indicators.some(({ indicator }) => indicator.kind === 'volume');
    if (isVwapAdded && !isIntraday(length))
      throw new InputError(`VWAP starts again each day, so bars of ${INTERVAL_NAMES[length]} have none.`, {
        parameter: 'interval',
        hint: 'Choose an interval shorter than a day.',
      });
    const service = await item.service();
    const instruments = await findInstruments(item, service);
    const index = instruments.find(({ kind }) => kind === 'INDEX');
    if (needsVolume && index !== undefined)
      throw new InputError(
        `${index.symbol} is an index, of which nothing is traded: it has no ${isVwapAdded ? 'VWAP' : 'volume'}.`,
        {
          parameter: 'instrument',
          hint: `Choose its future, or leave ${isVwapAdded ? 'VWAP' : 'Volume'} out.`,
        },
      );
    const needed = Math.max(...indicators.map(({ indicator }) => warmUpBars(indicator)));
    const { environment } = service.connection;
    const { signal } = item.run;
    const rows: INodeExecutionData[] = [];
    for (const group of groupsOf(instruments, false)) {
      const { histories, missing } = await readBarHistory(service.transport, {
        ...group,
        length,
        // The bar before the first tells whether something crossed at it; the last may not be over.
        count: needed + count + 2,
        withVolume: group.type !== 'INDEX',
        environment,
        signal,
      });
      if (missing.length > 0)
        throw new InputError(`The service has no candles of ${missing.join(', ')}.`, {
          parameter: 'instrument',
          hint: 'Choose another interval, or leave it out.',
        });
      const analysis = {
        exchange: group.exchange,
        length,
        environment,
        indicators,
        crossings,
        unit,
        count,
        withOpenBar,
      };
      for (const history of histories) for (const row of analyse(history, analysis)) rows.push(item.output(row));
    }
    return rows;
  },
};
