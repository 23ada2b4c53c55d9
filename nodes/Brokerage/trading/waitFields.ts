import type { INodeProperties } from 'n8n-workflow';

/** Maximum time that an operation waits for a status. */
export const deadlineField: INodeProperties = {
  displayName: 'Deadline (Seconds)',
  name: 'deadlineSeconds',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 86400 },
  default: 60,
  description: 'How long to wait at most',
};

/** Action of an operation if the status does not come. */
export const whenMissedField: INodeProperties = {
  displayName: 'If the Status Is Not Reached',
  name: 'whenMissed',
  type: 'options',
  options: [
    { name: 'Return It As Is', value: 'item', description: 'With reached: false' },
    { name: 'Stop With an Error', value: 'error' },
  ],
  default: 'item',
  description: 'What to do after the deadline, or if it ends another way',
};
