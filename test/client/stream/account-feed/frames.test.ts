import path from 'node:path';
import { loadSync } from 'protobufjs';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { DecodeError } from '../../../../proto/reader';

const folder = path.join(__dirname, '../../../../proto');
const root = loadSync(['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(folder, `${name}.proto`)));
const encode = (type: string, body: object): Uint8Array => {
  const Type = root.lookupType(`brokerage.stream.${type}`);
  return Type.encode(Type.fromObject(body)).finish();
};
const any = (typeUrl: string, value: Uint8Array): Uint8Array =>
  encode('Any', { typeUrl: `type.googleapis.com/${typeUrl}`, value });

const FULL = 'protos.acmesecurities.finfrontend.FinToClientIntentUpdate';
const message = encode('SvcToClientIntentUpdate', { intentOrderResponse: { intentOrderId: '1758012345678901234' } });
const inner = { typeUrl: `type.googleapis.com/${FULL}`, value: message };
const generic = encode('GenericData', { key: 'orders', data: inner });

describe('A frame is read at every nesting that was seen', () => {
  test.each([
    ['the message in one Any', any(FULL, message)],
    ['an Any in an Any', any('google.protobuf.Any', any(FULL, message))],
    ['GenericData and its Any', generic],
    ['GenericData in an Any', any('stream.GenericData', generic)],
    ['three Any', any('google.protobuf.Any', any('google.protobuf.Any', any(FULL, message)))],
  ])('%s is read', (_name, frame) => {
    const read = readFrame(frame);
    expect(read.kind === 'order' && read.update.intentOrderResponse?.intentOrderId).toBe('1758012345678901234');
  });

  test.each([
    ['one Any', (value: Uint8Array) => any('protos.acmesecurities.PortfolioResponse', value)],
    ['two', (value: Uint8Array) => any('google.protobuf.Any', any('protos.acmesecurities.PortfolioResponse', value))],
  ])('a portfolio is read in %s', (_name, wrapped) => {
    const read = readFrame(wrapped(encode('PortfolioResponse', { positionResponse: { clientCode: 'C1' } })));
    expect(read.kind === 'portfolio' && read.portfolio.positionResponse?.clientCode).toBe('C1');
  });

  test('an unknown message passes by, and bytes that are none are an error', () => {
    const data = { typeUrl: 'type.googleapis.com/protos.x.BatchWebSocketIndexMessage', value: Uint8Array.of(1, 2) };
    expect(readFrame(encode('GenericData', { key: 'index', data }))).toEqual({ kind: 'unknown' });
    expect(() => readFrame(Uint8Array.of(0x0a, 9, 1))).toThrow(DecodeError);
  });
});
