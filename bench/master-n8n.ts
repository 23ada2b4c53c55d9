/** The instrument master in a workflow, in n8n's engine: our node against what users put together today. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { Engine } from '../test/support/engine';
import { forgetInstruments } from '../client/instruments/catalogue';
import type { MakeRow } from './row';
import { builtInNodes } from './support/n8n';

/** Sends its file in pieces to whoever asks, and says its port and the size. */
const SERVER = path.resolve(__dirname, 'support', 'master-server.ts');
const HTTP = 'HTTP Request + Split Out + Filter';
const BYTES = 'n8n alone: the bytes, read as a stream and thrown away';

/** The minimum cost of any node: the download itself, as n8n's helper gives it to a node that keeps nothing. */
const DOWNLOAD: INodeType = {
  description: {
    displayName: 'Download',
    name: 'download',
    group: ['input'],
    version: 1,
    description: '',
    defaults: { name: 'Download' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
  },
  async execute() {
    const body = (await this.helpers.httpRequest({
      url: String(this.getNodeParameter('url', 0)),
      encoding: 'stream',
    })) as AsyncIterable<Uint8Array>;
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return [[{ json: { bytes } }]];
  },
};

const make: MakeRow = async ({ short }) => {
  const count = short ? 2_000 : 150_000;
  const server = spawn(process.execPath, [...process.execArgv, SERVER, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port, bytes] = await new Promise<string[]>((resolve) =>
    server.stdout.once('data', (data: Buffer) => resolve(data.toString().trim().split(' '))),
  );
  const url = `http://127.0.0.1:${port}`;
  const engine = await Engine.start(
    {
      environment: 'sandbox',
      sandboxBaseUrl: url,
      loginMethod: 'totp',
      phone: '9000000001',
      mpin: '1357',
      totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU',
      deviceId: 'bench',
      sessionToken: '',
    },
    { ...builtInNodes(), 'bench.download': DOWNLOAD },
  );

  const ours = async () => {
    forgetInstruments();
    const { items, error } = await engine.run({
      resource: 'instrument',
      operation: 'search',
      query: 'INFY',
      exchanges: ['NSE'],
      limit: 50,
      simplify: true,
      options: {},
    });
    if (error !== undefined || items.length === 0) throw error ?? new Error('nothing was found');
  };
  const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
    id: name,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [0, 0] as [number, number],
    parameters: parameters as never,
  });
  const condition = {
    id: '1',
    leftValue: '={{ $json.stock_name }}',
    rightValue: 'INFY',
    operator: { type: 'string', operation: 'contains' },
  };
  const workflow = {
    nodes: [
      node('Get', 'httpRequest', 4.2, { url: `${url}/refdata/refdata/2026-11-20`, options: {} }),
      node('Split', 'splitOut', 1, { fieldToSplitOut: 'refdata', options: {} }),
      node('Filter', 'filter', 2.2, {
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
          conditions: [condition],
          combinator: 'and',
        },
        options: {},
      }),
    ],
    connections: {
      Get: { main: [[{ node: 'Split', type: 'main' as const, index: 0 }]] },
      Split: { main: [[{ node: 'Filter', type: 'main' as const, index: 0 }]] },
    },
  };
  const download = async () => {
    const node = {
      id: 'get',
      name: 'Get',
      type: 'bench.download',
      typeVersion: 1,
      position: [0, 0] as [number, number],
      parameters: { url: `${url}/refdata/refdata/2026-11-20` },
    };
    const { data } = await engine.runWorkflow({ nodes: [node], connections: {} }, { Get: [{ json: {} }] });
    if (data.resultData.runData.Get?.[0]?.data?.main?.[0]?.[0]?.json.bytes !== Number(bytes))
      throw data.resultData.error ?? new Error('bytes are missing');
  };
  const theirs = async () => {
    const { data } = await engine.runWorkflow(workflow, { Get: [{ json: {} }] });
    if (data.resultData.error !== undefined) throw data.resultData.error;
    if ((data.resultData.runData.Filter?.[0]?.data?.main?.[0] ?? []).length === 0) throw new Error('nothing was found');
  };
  return {
    title: 'Instrument master in a workflow, from the request to the instruments that match',
    work: `${count} rows, ${(Number(bytes) / 1e6).toFixed(0)} MB, n8n's engine`,
    sides: [
      { name: 'ours', role: 'ours', run: ours, rounds: 5 },
      { name: HTTP, role: 'alternative', run: theirs, rounds: 2 },
      { name: BYTES, role: 'limit', run: download, rounds: 5 },
    ],
    memory: true,
    goals: [{ against: HTTP, times: 1 / 10, memory: 1 / 10 }],
    close: async () => {
      server.kill();
    },
  };
};
export default make;
