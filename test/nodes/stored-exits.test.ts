import { expect, test } from '@jest/globals';
import { ObservableObject, type IDataObject } from 'n8n-workflow';
import { StoredExits } from '../../nodes/BrokerageTrigger/watches/storedExits';
import type { TriggerContext } from '../../nodes/BrokerageTrigger/context/triggerContext';

interface Best {
  best: { price: number };
}

/** A trigger whose data n8n has stored, and has read from its database as it does: every object in it is a proxy. */
function restarted(stored: string): { context: TriggerContext; data: IDataObject } {
  const data = ObservableObject.create(JSON.parse(stored) as IDataObject);
  const n8n = { getWorkflowStaticData: () => data };
  return { context: { id: 'workflow:node', isAfresh: false, n8n } as unknown as TriggerContext, data };
}

test.each(['heldExits', 'strategyExits'] as const)('%s that n8n stored are kept on after a restart', (name) => {
  const first = restarted('{}');
  const opened = new StoredExits<Best>(name).open(first.context, 'account 1', { best: { price: 128_500 } });
  opened.state.best.price = 129_000;
  const second = restarted(JSON.stringify(first.data));
  const process = new StoredExits<Best>(name);
  const again = process.open(second.context, 'account 1', { best: { price: 0 } });
  expect(again.state).toEqual({ best: { price: 129_000 } });
  again.state.best.price = 129_500;
  again.remember();
  const third = process.open(second.context, 'account 1', { best: { price: 0 } });
  expect(third.state).toEqual({ best: { price: 129_500 } });
  expect(process.open(second.context, 'account 2', { best: { price: 0 } }).state).toEqual({ best: { price: 0 } });
});
