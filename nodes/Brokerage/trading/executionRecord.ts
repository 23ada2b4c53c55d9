/** Record of an execution's orders in n8n's custom data: it stays when the execution is stopped and its output is lost. */
import type { RunContext } from '../common/runContext';

/** n8n's custom data of an execution. */
export interface CustomData {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

const ORDERS = 'brokerage_orders';
/** n8n keeps so many characters of an entry. */
const MAX_VALUE_LENGTH = 255;
/** Maximum number of names; with a character each they fill an entry: older ones do not show. */
const MAX_NAMES = 128;
const CUT = '… ';

/** n8n's custom data of the execution; undefined if it has none. */
export function customDataOf({ workflowData }: RunContext): CustomData | undefined {
  return (workflowData.$execution as { customData?: CustomData }).customData;
}

/** Keeps the ids of what was placed in the execution, and the tags of what may have been; the newest where not all fit. */
export function saveRecord(run: RunContext): void {
  const customData = customDataOf(run);
  if (customData === undefined) return;
  const placed = run.placed.slice(-MAX_NAMES).map(({ id }) => id);
  const unclear = run.unclear.slice(-MAX_NAMES).map(({ tag }) => `unknown ${tag}`);
  const recordedOrders = (run.recordBefore ??= customData.get(ORDERS) ?? '');
  const names = new Set([...recordedOrders.split(', ').filter((name) => name !== ''), ...placed, ...unclear]);
  const text = [...names].join(', ');
  customData.set(ORDERS, text.length <= MAX_VALUE_LENGTH ? text : `${CUT}${text.slice(CUT.length - MAX_VALUE_LENGTH)}`);
}
