import { BACKTEST_HELP } from '../../../sandbox/src/backtest/options';
import { COMMAND_LINE_HELP } from '../../../sandbox/src/simulation/command-line-help';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';

describe('Options of the command line', () => {
  it('has its defaults', () => {
    expect(parseOptions([])).toMatchObject({
      port: 8787,
      host: '127.0.0.1',
      hours: 'always',
      clock: 'real',
      universe: 'demo',
      platformWord: 'plat',
      serviceWord: 'svc',
      data: undefined,
      smtp: undefined,
      n8n: undefined,
      controlToken: undefined,
    });
  });

  it('reads every option', () => {
    const args =
      '--port 0 --host 0.0.0.0 --seed 9 --data /d --snapshot-every 500 --hours exchange --clock 60x --universe full --platform-word acme --service-word zip ' +
      '--dialect multi_response=object --dialect empty_list=null --smtp smtp://localhost --control-token t --n8n http://localhost:5678/ --rate-limit live --rules 2026 --order-interface intent --accounts 20 --latency colocated --fill touch:10 --impact fixed:5 --fees none --max-unpacked 1024 --start 2026-11-23T09:00:00+05:30';
    expect(parseOptions(args.split(' '))).toEqual({
      port: 0,
      host: '0.0.0.0',
      seed: 9,
      data: '/d',
      check: false,
      snapshotEvery: 500,
      hours: 'exchange',
      clock: '60x',
      universe: 'full',
      platformWord: 'acme',
      serviceWord: 'zip',
      as: 'specification',
      dialect: { multi_response: 'object', empty_list: 'null' },
      funds: 'checked',
      smtp: 'smtp://localhost',
      n8n: 'http://localhost:5678',
      controlToken: 't',
      rateLimit: 'live',
      rules: '2026',
      orderInterface: 'intent',
      accounts: 20,
      latency: 'colocated',
      fill: 'touch:10',
      impact: 'fixed:5',
      fees: 'none',
      maxUnpackedMb: 1_024,
      start: '2026-11-23T09:00:00+05:30',
    });
  });

  it.each([
    [['--port', 'x'], '--port'],
    [['--clock', 'fast'], '--clock'],
    [['--hours', 'never'], '--hours'],
    [['--dialect', 'nothing=1'], 'nothing'],
    [['--dialect', 'empty_list=none'], 'array or null'],
    [['--service-word', 'Two Words'], '--service-word'],
    [['--start', 'soon'], '--start'],
    [['--start', '2026-11-23T09:10:00'], 'with its offset'],
    [['--start', '2026-11-23'], 'with its offset'],
    [['--max-unpacked', '0'], '--max-unpacked must be megabytes from 1 to 16384, not "0"'],
    [['--max-unpacked', 'all'], '--max-unpacked must be a whole number'],
    [['--rules', '2025'], '--rules must be one of off, 2026'],
    [['--unknown'], '--unknown'],
    [['--check'], 'give --replay FOLDER too'],
    [['--host='], '--host must not be empty'],
    [['--data='], '--data must not be empty'],
    [['--control-token='], '--control-token must not be empty'],
    [['--smtp', 'nonsense'], '--smtp'],
    [['--n8n', 'localhost:5678'], '--n8n'],
    [['--n8n', 'javascript://x'], '--n8n'],
    [['--n8n', 'http://localhost:5678/?a=1'], '--n8n'],
    [['--smtp', 'ftp://host'], '--smtp'],
    [['--platform-word', 'stock'], 'stock_name'],
    [['--service-word', 'order'], 'order_id'],
    [['--dialect', 'empty_list=null=x'], 'array or null'],
  ])('refuses %j, naming what is wrong', (args, named) => {
    expect(() => parseOptions(args)).toThrow(named);
  });

  it('has a help that names every option', () => {
    expect(parseOptions(['--help'])).toBe('help');
    expect(parseOptions(['--version'])).toBe('version');
    for (const name of [
      'port',
      'host',
      'seed',
      'data',
      'hours',
      'clock',
      'universe',
      'platform-word',
      'service-word',
      'dialect',
      'smtp',
      'control-token',
      'rate-limit',
      'rules',
      'start',
    ]) {
      expect(COMMAND_LINE_HELP).toContain(`--${name} `);
    }
  });

  it('the help fits a terminal of 120 columns', () => {
    const lines = [COMMAND_LINE_HELP, BACKTEST_HELP].join('\n').split('\n');
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});
