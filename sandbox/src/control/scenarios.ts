import { Type, type Static } from '@sinclair/typebox';
import { istText } from '../shared/time';
import { SCENARIOS } from '../simulation/scenarios/scenarios';
import { ScenarioRefusal, type ScenarioTerms, type StartedScenario } from '../simulation/scenarios/types';
import { ApiError } from '../web/errors';
import type { RouteContext } from '../web/route-context';
import { CONTROL_TAGS, controlSchemas } from './reply-schemas';

const Start = Type.Object(
  {
    name: Type.String({ description: 'One of those that GET lists' }),
    ref_id: Type.Optional(Type.Integer({ description: 'What it happens to; of a derivative its underlying' })),
    symbol: Type.Optional(Type.String({ description: 'Trading symbol on NSE, in place of ref_id' })),
    percent: Type.Optional(Type.Number()),
    minutes: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
);

/** Routes of scenarios of the market and of the broker, below /_sandbox. */
export function scenarioRoutes({ app, sandbox }: RouteContext): void {
  const schemas = controlSchemas(sandbox.options);

  app.get(
    '/_sandbox/scenarios',
    { schema: { tags: CONTROL_TAGS, summary: 'What can happen, and what is happening', response: schemas.scenarios } },
    async () => ({
      scenarios: SCENARIOS.map(({ name, title, text, instrument, percent, minutes }) => ({
        name,
        title,
        text,
        instrument,
        percent,
        minutes,
      })),
      running: sandbox.world.scenarios.running(sandbox.instant).map(shown),
    }),
  );

  app.post(
    '/_sandbox/scenarios',
    { schema: { tags: CONTROL_TAGS, summary: 'Let something happen', response: schemas.scenario, body: Start } },
    async (request) => {
      const { name, ref_id, symbol, percent, minutes } = request.body as Static<typeof Start>;
      const refId = ref_id ?? (symbol === undefined ? undefined : refIdOf(symbol));
      const terms: ScenarioTerms = {
        ...(refId !== undefined && { refId }),
        ...(percent !== undefined && { percent }),
        ...(minutes !== undefined && { minutes }),
      };
      try {
        // Only what can happen is written into the log.
        sandbox.world.planScenario(name, terms, sandbox.instant);
      } catch (error) {
        throw error instanceof ScenarioRefusal ? new ApiError(400, error.message) : error;
      }
      return shown(sandbox.world.startScenario(name, terms));
    },
  );

  function refIdOf(symbol: string): number {
    const instrument = sandbox.world.universe().bySymbol('NSE', symbol);
    if (instrument === undefined) throw new ApiError(404, `There is no instrument ${symbol} on NSE`);
    return instrument.refId;
  }
}

function shown({ id, name, from, to, story, outage }: StartedScenario) {
  return {
    id,
    name,
    from: istText(from),
    to: istText(to),
    story,
    ...(outage && { outage: { from: istText(outage.from), to: istText(outage.to) } }),
  };
}
