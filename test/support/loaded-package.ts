/** The package's nodes and credentials, loaded from their source by n8n's own loader. */
import './n8n-environment.cjs';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers, type IDataObject, type INodeType, type INodeTypes, type IVersionedNodeType } from 'n8n-workflow';

const ROOT = path.resolve(__dirname, '..', '..');

/** The node in the place of whatever comes before ours; its items are pinned. */
const START: INodeType = {
  description: {
    displayName: 'Start',
    name: 'manualTrigger',
    group: ['trigger'],
    version: 1,
    description: '',
    defaults: { name: 'Start' },
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
  async trigger() {
    return {};
  },
};

/** Loads the TypeScript source where package.json names the compiled file. */
export class SourceLoader extends PackageDirectoryLoader {
  constructor() {
    super(ROOT);
    // n8n's loader requires by itself; here the source is required by the test, with what it mocks.
    Object.assign(this, { loadClass: this.loadFromSource });
    const entries = this.packageJson.n8n as { nodes: string[]; credentials: string[] };
    const source = (file: string) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    const exists = (file: string) => existsSync(path.join(ROOT, file));
    entries.nodes = entries.nodes.map(source).filter(exists);
    entries.credentials = entries.credentials.map(source).filter(exists);
  }

  private loadFromSource(file: string): unknown {
    const [className] = path.parse(file).name.split('.');
    const classes = createRequire(__filename)(path.join(this.directory, file)) as Record<string, new () => unknown>;
    return new classes[className!]!();
  }
}

/** Nodes that are not ours, by their full names. */
export type OtherNodes = Readonly<Record<string, INodeType | IVersionedNodeType>>;

export class LoadedNodeTypes implements INodeTypes {
  private readonly others: OtherNodes;

  constructor(
    private readonly loader: SourceLoader,
    others: OtherNodes = {},
  ) {
    this.others = { 'n8n-nodes-base.manualTrigger': START, ...others };
  }

  getByName(type: string): INodeType | IVersionedNodeType {
    const other = this.others[type];
    if (other !== undefined) return other;
    // A node that an AI agent uses as its tool has another type name.
    return this.loader.getNode(type.replace(`${this.loader.packageName}.`, '').replace(/Tool$/, '')).type;
  }

  getByNameAndVersion(type: string, version?: number): INodeType {
    return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
  }

  getKnownTypes(): IDataObject {
    return {};
  }
}
