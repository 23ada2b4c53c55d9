/** Help of the sandbox's command line. */
import { SERVICE_DIALECTS } from './dialect';

/** Help of the command and of `backtest` on the models. */
export const MODELS_HELP = `  --fill queue|touch|through[:PERCENT]
                               when an order that waits trades: in its turn, once the price comes to it, or once it has
                               passed it; at most PERCENT of a minute's volume (queue)
  --impact square-root|volume-share[:PERCENT:NUMBER]|fixed[:POINTS]|none
                               what an order does to the price (square-root)
  --fees dated|fixed:RUPEES|percent:PERCENT|none
                               what trades cost: taxes and fees of their day, so much an order, of the value (dated)`;

/** Help of the command. */
export const COMMAND_LINE_HELP = `brokerage-sandbox [options]

An Indian brokerage's REST and WebSocket service, simulated on an exchange with a real order book.
No account, no money, no network. Everything it knows is invented.

  brokerage-sandbox                            start it, then open http://127.0.0.1:8787/_sandbox/
  brokerage-sandbox --data ./kept              keep everything, and continue from there tomorrow
  brokerage-sandbox --hours exchange --clock 60x --start 2026-11-23T09:00:00+05:30
                                               a whole trading day, its auctions included, in a few minutes
  brokerage-sandbox --clock manual             time passes only when you move it: good for tests
  brokerage-sandbox backtest --help            what a workflow of n8n would have earned on recorded days

Log in with
  phone 9000000001, MPIN 1357, TOTP secret KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU   or
  phone 9000000002, MPIN 2468, and the OTP that appears on the page (or in /_sandbox/inbox?phone=9000000002)

Where it listens
  --port N                     port (8787; 0 takes a free one)
  --host ADDRESS               address (127.0.0.1: this machine only)
  --n8n ADDRESS                where n8n is, such as http://localhost:5678: the page links orders to its executions
  --control-token TEXT         asks everybody for it in the control plane (x-control-token, or a browser's password),
                               and opens that to other machines

The market and its time
  --universe demo|full         about 3,000 instruments (demo), or all 150,000 and more
  --hours always|exchange      trades around the clock (always), or in the exchanges' sessions and holidays
  --clock real|manual|60x|fastest
                               real time, only when you move it, that many times faster, or as fast as it goes
  --start ISO                  the time at which its clock starts (now)
  --replay FOLDER              replays a real market: candles of 1 second to 1 day (CSV, JSON, Parquet), bhavcopies, and
                               what --record wrote
  --check                      with --replay: only says how its files are understood, and ends
  --from DATE                  with --replay: the day on which it begins (the first that was recorded)
  --record FOLDER              writes each day's minute candles there, and ticks with depth of what was ordered,
                               as --replay takes them
  --to DATE                    with --replay: the day at whose end --clock fastest stops (the last that was recorded)
  --max-unpacked MB            with --replay: so much may come out of a packed file, zip, gzip or Parquet (256)
  --mirror FILE                paper trading on the live market: prices and depth of the service, read with the
                               credential in FILE and never traded on; orders, funds and reports are the sandbox's own
  --seed N                     whole number that makes prices, ids and one-time passwords (1)

  --accounts N                 so many accounts, from phone 9000000001 on, trading against each other (2; up to 200)
  --latency retail|colocated|0|FILE
                               how long orders take to the exchange and back; FILE is JSON (retail)
  --tariff FILE                what the broker asks for, as JSON: brokerage, deliveries, interest (its own)
${MODELS_HELP}

What it keeps
  --data DIR                   keeps everything in a folder and continues from there (memory only)
  --accept-loss                with --data: continues with what can be read of a damaged log; keeps a copy of the folder
  --snapshot-every N           with --data: writes a snapshot after this many changes (5000; 0 for never)

E-mail
  --mail-port N                receives e-mails (SMTP, from this machine) into the mailboxes; read them on the page
  --smtp URL                   also sends report e-mails for real: smtp://user:password@host:port

Like a service that differs
  --as specification|live|uat  behaves like the specified service, or like the one that has been seen: sets
                               --rate-limit, --funds and each --dialect, unless you give one too (specification)
  --funds checked|unchecked    whether an order needs the money for it; unchecked as on UAT (checked)
  --order-interface both|intent|v2
                               the order interface that accounts have: intent orders, the older one, or both (both)
  --rate-limit live|uat|off    trading requests a second: 10, 100 (uat) or any number
  --rules off|2026             keeps the rules for orders over an API since April 2026: registered addresses only,
                               ten orders a second on each exchange, sessions that end at 06:00 (off)
  --platform-word WORD         word for "plat" in names such as plat_name
  --service-word WORD          word for "svc" in names such as svc_name and SvcToClientIntentUpdate
  --dialect NAME=VALUE         a variant seen on the live service; can be repeated. The first of each is the default:
${Object.entries(SERVICE_DIALECTS)
  .map(([name, values]) => `                                 ${name} = ${values.join(' | ')}`)
  .join('\n')}

  --help, --version

While it runs, below its address
  /_sandbox/          the exchange's page: market, orders, phone and mailbox, clock, faults
  /_sandbox/docs      every endpoint, to read (OpenAPI: /_sandbox/openapi.json)
  /_sandbox/faults    POST what goes wrong on purpose: a reply that never comes, a stream that breaks
  /_sandbox/clock     POST {"advance": "PT1H"} to let an hour pass
`;
