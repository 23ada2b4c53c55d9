/** Options of a sandbox and their defaults. */
import type { SpeedOrMode } from './clock';
import type { ServiceDialect } from './dialect';
import type { FundsOption, RateLimitOption, ServicePresetName } from './services';
import type { RulesOption } from './data/api-order-rules';

/** Options of a sandbox; all of it has a default. */
export interface SandboxOptions {
  /** TCP port; 0 takes a free one. */
  port: number;
  host: string;
  /** Makes ref_ids, prices, identifiers and one-time passwords; the same seed and requests give the same journal. */
  seed: number;
  /** Folder of the event log; undefined keeps everything in memory. */
  data: string | undefined;
  /** With `data`: entries of the log after which a snapshot is written; 0 for none, then a start carries out the whole log. */
  snapshotEvery: number;
  /** With `data`: goes on with what can be read of a damaged log. A copy of the damaged folder is kept beside it. */
  acceptLoss: boolean | undefined;
  /** `always` trades around the clock, `exchange` keeps the exchanges' sessions and holidays. */
  hours: 'always' | 'exchange';
  clock: SpeedOrMode;
  /** ISO instant at which virtual time starts; undefined is now. */
  start: string | undefined;
  universe: 'demo' | 'full';
  /** Folder with candles of a real market, which is then replayed; undefined for the made-up one. */
  replay: string | undefined;
  /** With `replay`: only says how its files are understood. */
  check: boolean;
  /** With `replay`: date (YYYY-MM-DD) from which it is replayed; undefined for its first day. */
  from: string | undefined;
  /** Folder into which each day's candles are written, as `replay` takes them; undefined for none. */
  record: string | undefined;
  /** With `replay`: date at whose end the clock `fastest` stops; undefined for its last day. */
  to: string | undefined;
  /** Largest unpacked size of a recording, megabytes; undefined for 256. */
  maxUnpackedMb: number | undefined;
  /** File with a credential of the service, whose market is then mirrored; undefined for the made-up one. */
  mirror: string | undefined;
  /** The platform word of branded names (`plat_name`). */
  platformWord: string;
  /** The service word of branded names (`svc_name`, `SvcToClientIntentUpdate`). */
  serviceWord: string;
  /** Service that it behaves like; where an option or a dialect switch is given too, that one counts. */
  as: ServicePresetName;
  dialect: Partial<ServiceDialect>;
  /** True if an order needs the money for it; `unchecked` lets every account trade on credit, without margin calls. */
  funds: FundsOption;
  /** Address of a mail server, smtp://user:password@host:port. E-mails are then really sent; they are in the inbox always. */
  smtp: string | undefined;
  /** TCP port on which e-mails are taken (SMTP) into the mailboxes; 0 takes a free one, undefined takes none. */
  mailPort: number | undefined;
  /** Whoever uses the control plane sends it in `x-control-token`, from this machine too; other machines may then. */
  controlToken: string | undefined;
  /** Address of n8n in the browser, without a slash at the end: the page links orders to its executions. */
  n8n: string | undefined;
  rateLimit: RateLimitOption;
  /** Rules on orders over an API since April 2026: registered addresses, ten orders a second, sessions that end each day. */
  rules: RulesOption;
  /** Number of accounts, the first two included: up to 200. */
  accounts: number;
  /** Time that orders take to the exchange and back: `retail`, `colocated`, `0`, or a JSON file that says it. */
  latency: string;
  /** JSON file of what the broker asks for; undefined for the sandbox's own tariff. */
  tariff: string | undefined;
  /** Model of the fills of orders, their impact on prices, and the fees: each the name of a model and its numbers (see `models.ts`). */
  fill: string;
  impact: string;
  fees: string;
  /** Order interface of accounts, unless one is set for an account: intent orders, the older one, or both. */
  orderInterface: OrderInterface;
}

export type OrderInterface = 'both' | 'intent' | 'v2';
export const ORDER_INTERFACES: OrderInterface[] = ['both', 'intent', 'v2'];

export const DEFAULT_OPTIONS: SandboxOptions = {
  port: 8787,
  host: '127.0.0.1',
  seed: 1,
  data: undefined,
  snapshotEvery: 5_000,
  acceptLoss: undefined,
  hours: 'always',
  clock: 'real',
  start: undefined,
  universe: 'demo',
  replay: undefined,
  check: false,
  from: undefined,
  record: undefined,
  to: undefined,
  maxUnpackedMb: undefined,
  mirror: undefined,
  platformWord: 'plat',
  serviceWord: 'svc',
  as: 'specification',
  dialect: {},
  funds: 'checked',
  smtp: undefined,
  mailPort: undefined,
  controlToken: undefined,
  n8n: undefined,
  rateLimit: 'uat',
  rules: 'off',
  accounts: 2,
  latency: 'retail',
  tariff: undefined,
  fill: 'queue',
  impact: 'square-root',
  fees: 'dated',
  orderInterface: 'both',
};
