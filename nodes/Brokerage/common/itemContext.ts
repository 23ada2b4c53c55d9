import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ParameterReader } from '../../shared/parameters';
import type { RunContext } from './runContext';
import type { ExecutionService } from '../../shared/service';

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
    return this.output(json, { [property]: data });
  }
}
