/** The unchanged end-of-day file, and what somebody in between sends in its place. */
import { bhavcopyBytes, type BhavcopyFile } from '../../../client/market/bhavcopy';

function fileOf(bytes: Uint8Array): BhavcopyFile {
  async function* chunks() {
    yield bytes;
  }
  return { date: '2026-11-20', reply: { status: 200, headers: {}, chunks: chunks() } };
}

describe('a download', () => {
  it.each([
    ['csv', 'Access to this site is blocked'],
    ['csv', '{}'],
    ['csv', '[{"TckrSymb":"INFY"}]'],
    ['csv', '\u001f\u0008\u0000\u0000'],
    ['json', 'OK'],
    ['json', '[]'],
    ['json', '{"data":null}'],
  ] as const)('takes no file of %s from %j', async (format, text) => {
    await expect(bhavcopyBytes({ ...fileOf(Buffer.from(text)), format })).rejects.toThrow(
      /^The service answered with something that is not the end-of-day file\./,
    );
  });

  it('says what the service says in place of a file', async () => {
    const file = fileOf(Buffer.from('{"error":"Please sign in"}'));
    await expect(bhavcopyBytes({ ...file, format: 'csv' })).rejects.toThrow('It said: Please sign in');
  });

  it.each([
    ['csv', 'TckrSymb,ClsPric\r\nINFY,1500.05\r\n'],
    ['json', '{"data":[{"TckrSymb":"INFY"}]}'],
    ['csv', `PK\u0003\u0004…PK\u0005\u0006`],
  ] as const)('takes, of %s, %j', async (format, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(Buffer.from(await bhavcopyBytes({ ...fileOf(bytes), format }))).toEqual(bytes);
  });
});
