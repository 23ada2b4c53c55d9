import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ParameterReader } from '../../shared/parameters';
import type { RunContext } from './runContext';
import type { ExecutionService } from '../../shared/service';
import { LABELS_VERSION } from '../../shared/itemLabels';

/** One input item of an execution: its parameters, and the making of output linked to it. */
export class ItemContext extends ParameterReader {
  constructor(
    readonly run: RunContext,
    readonly index: number,
  ) {
    super(
      run.parametersOf(index),
      run.properties,
      () => run.functions.getTimezone(),
      () => run.market.now(),
    );
  }

  /** The service of the credential, opened once for all items. */
  async service(): Promise<ExecutionService> {
    return await this.run.service();
  }

  /** An output item, linked to this input item. */
  output(json: object, binary?: IBinaryKeyData): INodeExecutionData {
    return { json: json as IDataObject, pairedItem: { item: this.index }, ...(binary ? { binary } : {}) };
  }

  /**
   * An output item with files, those of the input item among them: steps one after another gather what an e-mail attaches. A file of the
   * same name is replaced. Before version 1.2 of the node only its own files are kept.
   */
  outputWithFiles(json: object, files: IBinaryKeyData = {}): INodeExecutionData {
    const received =
      this.run.node.typeVersion >= LABELS_VERSION ? this.run.functions.getInputData()[this.index]?.binary : undefined;
    const binaries = { ...received, ...files };
    return this.output(json, Object.keys(binaries).length === 0 ? undefined : binaries);
  }

  /** An output item that holds a file. */
  async file(
    json: object,
    file: { bytes: Uint8Array; fileName: string; mimeType: string },
    property: string,
  ): Promise<INodeExecutionData> {
    const data = await this.run.functions.helpers.prepareBinaryData(
      Buffer.from(file.bytes),
      file.fileName,
      file.mimeType,
    );
    return this.outputWithFiles(json, { [property]: data });
  }
}
