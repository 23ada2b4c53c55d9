import { Type, type Static } from '@sinclair/typebox';
import { Duration } from 'luxon';
import { istText, MAX_INSTANT_LENGTH, parseInstant } from '../shared/time';
import type { SpeedOrMode } from '../simulation/clock';
import { CLOCK_JUMPS, DEFAULT_ASSET, clockJumpInstant, type ClockJump } from '../simulation/clock-jumps';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import type { RouteContext } from '../web/route-context';
import { CONTROL_TAGS, controlSchemas } from './reply-schemas';

const Clock = Type.Object({
  set: Type.Optional(Type.String({ maxLength: MAX_INSTANT_LENGTH, description: 'ISO instant' })),
  to: Type.Optional(
    Type.Union(
      CLOCK_JUMPS.map((name) => Type.Literal(name)),
      {
        description:
          'Jumps to the next time that the exchange opens or closes, or to 09:00 of its next trading day or of the next expiry day',
      },
    ),
  ),
  asset: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `With "to": "expiry", the underlying whose options or futures expire; ${DEFAULT_ASSET} where it is not given`,
    }),
  ),
  advance: Type.Optional(Type.String({ maxLength: MAX_INSTANT_LENGTH, description: 'ISO duration: PT1H, P1D' })),
  mode: Type.Optional(
    Type.Union([
      Type.Literal('real'),
      Type.Literal('manual'),
      Type.Literal('fastest'),
      Type.String({ maxLength: 20, pattern: '^\\d+(\\.\\d+)?x$' }),
    ]),
  ),
  speed: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  until: Type.Optional(
    Type.Union([Type.Literal('order'), Type.Literal('alert')], {
      description:
        'Goes on as fast as it can until something happens to an order, or a trigger starts a run; then it stands still',
    }),
  ),
});

/** The clock as replies show it. */
export function clockView({ clock, instant, time: { goingTo } }: Sandbox) {
  return {
    now: istText(instant),
    mode: clock.mode,
    speed: clock.speed,
    going_to: goingTo === undefined ? null : istText(goingTo),
  };
}

/** The sandbox's time, shown and moved (docs/sandbox.md#control-plane). */
export function clockRoutes({ app, sandbox }: RouteContext): void {
  const schemas = controlSchemas(sandbox.options);
  /** A clock that runs may have passed the instant by now: then it is there already. */
  const moveTo = (at: number): void => sandbox.time.leap(Math.max(at, sandbox.clock.now()));

  const placeOf = (to: ClockJump, now: number, asset: string): number => {
    const { world } = sandbox;
    const at = clockJumpInstant(to, now, { calendar: world.market.calendar, universe: world.universe(), asset });
    if (at !== undefined) return at;
    throw new ApiError(
      400,
      to === 'expiry'
        ? `No listed option or future of "${asset}" expires after today. Give the symbol of an underlying, such as NIFTY, SENSEX or CRUDEOIL`
        : `There is no next ${to} in the calendar of this market`,
    );
  };

  function setClock({ set, to, asset, advance, mode, speed, until }: Static<typeof Clock>): void {
    sandbox.needRoom();
    const now = sandbox.instant;
    if (until !== undefined && [set, to, advance, mode, speed].some((other) => other !== undefined))
      throw new ApiError(400, 'until stands alone: the clock stands still where it ends');
    if ([set, to, advance].filter((move) => move !== undefined).length > 1)
      throw new ApiError(400, 'Give one of set, to and advance');
    if (asset !== undefined && to !== 'expiry') throw new ApiError(400, 'asset belongs to "to": "expiry"');
    if (until !== undefined) sandbox.time.setMode('fastest', until);
    if (mode !== undefined || speed !== undefined) {
      const requested =
        speed !== undefined && speed !== 1 && mode !== 'manual' && mode !== 'fastest' ? `${speed}x` : (mode ?? 'real');
      sandbox.time.setMode(requested as SpeedOrMode);
    }
    if (set !== undefined) moveTo(within(parseInstant(set), now, sandbox.clock.end, set));
    if (to !== undefined)
      moveTo(within(placeOf(to, now, asset?.trim().toUpperCase() ?? DEFAULT_ASSET), now, sandbox.clock.end, to));
    if (advance !== undefined) {
      const duration = Duration.fromISO(advance);
      if (!duration.isValid) throw new ApiError(400, `advance must be an ISO duration such as PT1H, not "${advance}"`);
      moveTo(within(now + duration.toMillis(), now, sandbox.clock.end, advance));
    }
    sandbox.now();
    sandbox.noteTime();
    sandbox.changed();
  }

  app.get(
    '/_sandbox/clock',
    { schema: { tags: CONTROL_TAGS, summary: "The sandbox's time", response: schemas.clock } },
    async () => clockView(sandbox),
  );
  app.post(
    '/_sandbox/clock',
    {
      schema: {
        tags: CONTROL_TAGS,
        summary: 'Set, advance, stop or speed up time',
        response: schemas.clock,
        body: Clock,
      },
    },
    async (request) => {
      setClock(request.body as Static<typeof Clock>);
      return clockView(sandbox);
    },
  );
}

function within(at: number, now: number, end: number, text: string): number {
  if (Number.isNaN(at))
    throw new ApiError(
      400,
      `set must be an ISO instant with its offset, such as 2026-11-23T09:10:00+05:30, not "${text}"`,
    );
  if (at < now)
    throw new ApiError(400, `The clock cannot go back: it is ${istText(now)}. Reset the sandbox to begin again`);
  if (at > end) throw new ApiError(400, `The market ends at ${istText(end)}: the clock cannot go beyond`);
  return at;
}
