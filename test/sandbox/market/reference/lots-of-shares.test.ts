/** Lots of the shares in the sandbox's table, beside a list of all instruments of the real exchanges. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { equities } from '../../../../sandbox/src/market/reference/dated-tables';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { REAL_MASTER } from '../report/masters';

interface ListedShare {
  segment: string;
  trading_symbol: string;
  instrument_type: string;
  exchange_token: string;
  lot_size: number;
}

describeWith(SHARED_DATA, 'lots of shares', (folder) => {
  it('the lots of shares are those of the real lists of NSE and BSE, 574 of them above one on NSE', () => {
    const listed = JSON.parse(gunzipSync(readFileSync(join(folder, REAL_MASTER))).toString('utf8')) as ListedShare[];
    const onNse = new Map(
      listed
        .filter(({ segment }) => segment === 'NSE_EQ')
        .map((row) => [`${row.trading_symbol} ${row.instrument_type}`, row.lot_size]),
    );
    const onBse = new Map(
      listed.filter(({ segment }) => segment === 'BSE_EQ').map((row) => [row.exchange_token, row.lot_size]),
    );
    const wrong: string[] = [];
    for (const { symbol, series, bseSymbol, bseCode, lot } of equities()) {
      if (symbol !== '' && onNse.get(`${symbol} ${series}`) !== lot) wrong.push(`NSE ${symbol}`);
      if (bseSymbol !== '' && onBse.get(String(bseCode)) !== lot) wrong.push(`BSE ${bseSymbol}`);
    }
    expect(wrong).toEqual([]);
    expect(equities().filter(({ symbol, lot }) => symbol !== '' && lot > 1)).toHaveLength(574);
  });
});
