/** The editor's triangles: a form that works has none. */
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { operationCases } from '../support/operations';

const description = new Brokerage().description as INodeTypeDescription;
const { properties } = description;

it.each(operationCases)('%s: %s shows the issues of its fields', (resource, operation, { parameters }) => {
  const node = { type: 'brokerage', typeVersion: 1.2 } as INode;
  // Ids are made where the operations run.
  const given = Object.entries(parameters()).map(([name, value]) => [name, value === '' ? '1' : value] as const);
  const set = { resource, operation, ...Object.fromEntries(given) };
  node.parameters = NodeHelpers.getNodeParameters(properties, set, true, false, node, description) ?? {};
  expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
});
