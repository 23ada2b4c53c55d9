import { Type, type Static } from '@sinclair/typebox';
import type { CorporateAction, CorporateActionTerms, NewCorporateAction } from '../shared/corporate-actions';
import { CorporateActionRefusal, planCorporateAction, describeAction } from '../simulation/corporate-actions';
import { istDate, istText, MAX_INSTANT_LENGTH } from '../shared/time';
import { ApiError } from '../web/errors';
import type { RouteContext } from '../web/route-context';
import { CONTROL_TAGS, controlSchemas } from './reply-schemas';

const whole = (description: string) => Type.Optional(Type.Integer({ description }));

const Announce = Type.Object(
  {
    kind: Type.Union([Type.Literal('split'), Type.Literal('bonus'), Type.Literal('dividend')]),
    ref_id: whole('Of the share, on any exchange'),
    symbol: Type.Optional(Type.String({ description: 'Trading symbol on NSE, in place of ref_id' })),
    ex_date: Type.Optional(
      Type.String({ maxLength: MAX_INSTANT_LENGTH, description: 'YYYY-MM-DD; the next trading day when left out' }),
    ),
    from: whole('Of a split: the face value before'),
    to: whole('Of a split: the face value after'),
    issued: whole('Of a bonus: so many new shares'),
    held: whole('Of a bonus: for so many that are held'),
    per_share: whole('Of a dividend: paise a share'),
  },
  { additionalProperties: false },
);
type Body = Static<typeof Announce>;

/** Fields of each kind. */
const TAKES = {
  split: ['from', 'to'],
  bonus: ['issued', 'held'],
  dividend: ['per_share'],
} as const;
const ALL_TERMS = Object.values(TAKES).flat();

/** Splits, bonus issues and dividends, below /_sandbox. */
export function corporateActionRoutes({ app, sandbox }: RouteContext): void {
  const schemas = controlSchemas(sandbox.options);

  app.get(
    '/_sandbox/corporate-actions',
    {
      schema: { tags: CONTROL_TAGS, summary: 'Splits, bonus issues and dividends', response: schemas.corporateActions },
    },
    async () => sandbox.world.corporateActions.all().map(shown),
  );

  app.post(
    '/_sandbox/corporate-actions',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Announce a split, a bonus issue or a dividend',
        response: schemas.corporateAction,
        body: Announce,
      },
    },
    async (request) => {
      const requested = askedBy(request.body as Body);
      try {
        // Only what can be is written into the log.
        planCorporateAction(sandbox.world, requested, sandbox.instant);
      } catch (error) {
        throw error instanceof CorporateActionRefusal ? new ApiError(400, error.message) : error;
      }
      return shown(sandbox.world.announceCorporateAction(requested));
    },
  );

  /** @throws ApiError for a share that is not known, or terms that are missing or of another kind */
  function askedBy(body: Body): NewCorporateAction {
    const { kind, ref_id, symbol, ex_date } = body;
    for (const term of ALL_TERMS) {
      const isTaken = TAKES[kind].some((taken) => taken === term);
      if (isTaken !== (body[term] !== undefined))
        throw new ApiError(
          400,
          `A ${kind} takes ${TAKES[kind].join(' and ')}: ${term} ${isTaken ? 'is missing' : 'is not one of them'}`,
        );
    }
    const { calendar } = sandbox.world.market;
    const exDate = ex_date ?? calendar.nextTradingDay('NSE', istDate(sandbox.instant));
    return { refId: ref_id ?? refIdOf(symbol), exDate, ...termsOf(body) };
  }

  function refIdOf(symbol: string | undefined): number {
    if (symbol === undefined) throw new ApiError(400, 'Say which share: its symbol on NSE, or its ref_id');
    const found = sandbox.world.universe().bySymbol('NSE', symbol);
    if (found === undefined) throw new ApiError(404, `There is no instrument ${symbol} on NSE`);
    return found.refId;
  }
}

/** Terms of a body that is known to contain them. */
function termsOf({ kind, from = 0, to = 0, issued = 0, held = 0, per_share = 0 }: Body): CorporateActionTerms {
  if (kind === 'split') return { kind, from, to };
  return kind === 'bonus' ? { kind, issued, held } : { kind, perShare: per_share };
}

function shown(action: CorporateAction) {
  const { id, kind, symbol, refIds, exDate, announced, before, after, dividend, extraordinary, close } = action;
  return {
    id,
    kind,
    symbol,
    ref_ids: refIds,
    ex_date: exDate,
    announced_at: istText(announced),
    effective: close !== undefined,
    before,
    after,
    dividend,
    extraordinary,
    story: describeAction(action),
  };
}
