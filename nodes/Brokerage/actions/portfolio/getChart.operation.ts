import { encodePng } from '../../../../client/charts/png';
import { holdingsChart } from '../../../../client/portfolio/chart';
import { convertMoney } from '../../../../client/portfolio/portfolio';
import { binaryField, binaryPropertyOf, collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';

export const getChart: ItemOperation = {
  name: 'Get Chart',
  action: 'Get a chart of the holdings',
  description:
    'Get your holdings as a picture (PNG) for an e-mail or a message: one bar per holding, with value, profit and loss',
  properties: [collection('Options', 'options', [priceUnitField, binaryField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const property = binaryPropertyOf(item);
    const { connection, transport } = await item.service();
    const { holdings, stats } = await (await portfolioSource(item)).holdings();
    const chart = holdingsChart(holdings);
    const fileName = `holdings-${marketDate(transport)}.png`;
    const json = {
      holdings: { count: holdings.length, ...convertMoney(unit, stats) },
      file_name: fileName,
      width: chart.width,
      height: chart.height,
      environment: connection.environment,
    };
    return [await item.file(json, { bytes: await encodePng(chart), fileName, mimeType: 'image/png' }, property)];
  },
};
