/** An end-of-day file of 20 MB to typed rows, streaming. */
import { parse as parseCsv } from 'csv-parse/sync';
import Papa from 'papaparse';
import { inferSchema, initParser } from 'udsv';
import { bhavcopyRows } from '../client/market/bhavcopy';
import type { MakeRow } from './row';

const HEADER =
  'TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4';
const CHUNK = 65_536;

function line(number: number): string {
  const price = (100 + (number % 3_000) + 0.05).toFixed(2);
  return `2026-11-20,2026-11-20,FO,NSE,STO,${50_000 + number},,SYM${number % 200},,2026-11-24,2026-11-24,${(number % 500) * 50}.00,CE,SYM${number % 200}26NOV${(number % 500) * 50}CE,${price},${price},${price},${price},${price},${price},2448.15,${price},${number * 75},${number % 2 ? '-' : ''}${number},${number * 7},${number * 1234}.50,${number % 900},F1,75,,,,,`;
}

const make: MakeRow = ({ short }) => {
  const count = short ? 200 : 95_000;
  const bytes = Buffer.from(`${HEADER}\n${Array.from({ length: count }, (_, number) => line(number)).join('\n')}\n`);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
  }
  const ours = async () => {
    let rows = 0;
    for await (const batch of bhavcopyRows({
      date: '2026-11-20',
      reply: { status: 200, headers: {}, chunks: chunks() },
    }))
      rows += batch.length;
    if (rows !== count) throw new Error(`${rows} rows instead of ${count}`);
  };
  return {
    title: 'Bhavcopy CSV to typed rows',
    work: `${count} rows of 34 columns, ${(bytes.length / 1e6).toFixed(0)} MB`,
    sides: [
      { name: 'ours', role: 'ours', run: ours },
      {
        name: 'csv-parse',
        role: 'alternative',
        run: () => void parseCsv(bytes, { columns: true, cast: true }),
        rounds: 3,
      },
      {
        name: 'papaparse',
        role: 'alternative',
        run: () => void Papa.parse(bytes.toString('utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true }),
        rounds: 3,
      },
      {
        name: 'udsv (needs new Function, barred in nodes)',
        role: 'limit',
        run: () => {
          const text = bytes.toString('utf8');
          return void initParser(inferSchema(text)).typedObjs(text);
        },
      },
    ],
    memory: true,
    goals: [{ against: 'csv-parse', times: 1 / 3 }],
    figures: async () => {
      globalThis.gc?.();
      const before = process.memoryUsage.rss();
      let max = 0;
      for (let times = 0; times < (short ? 1 : 4); times++) {
        await ours();
        max = Math.max(max, process.memoryUsage.rss() - before);
      }
      return [{ name: 'growth over four such files in a row', value: max / 1e6, unit: 'MB', atMost: 64 }];
    },
  };
};
export default make;
