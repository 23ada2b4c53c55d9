/** Origin of an order: the node and the execution of a workflow in n8n, or the order's tag. */
import { make } from './dom.js';

let n8n = '';

/** Tells where n8n is; executions are then links. */
export function setN8n(address) {
  n8n = address ?? '';
}

/** The address of an execution, or of the workflow whose trigger it was; undefined where n8n's is not known. */
function linkTo({ workflow, execution }) {
  if (n8n === '' || workflow === '') return undefined;
  const address = `${n8n}/workflow/${encodeURIComponent(workflow)}`;
  return execution === '' ? address : `${address}/executions/${encodeURIComponent(execution)}`;
}

/** As elements: workflow, node and execution or "trigger", the last one a link where n8n's address is known; else the tag. */
export function placedBy({ placed_by: by, tag }) {
  if (by === undefined) return [tag];
  const link = linkTo(by);
  const text = by.execution === '' ? 'trigger' : `execution ${by.execution}`;
  return [
    `${by.workflow_name || by.workflow} · ${by.node} `,
    link === undefined
      ? make('span', {
          className: 'quiet',
          title: 'Start the sandbox with --n8n and the address of n8n to make this a link',
          text,
        })
      : make('a', { href: link, target: '_blank', rel: 'noopener', text }),
  ];
}
