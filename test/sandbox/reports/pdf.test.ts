/** PDFs as another program reads them: characters, protection, pages, and what is said of the file. */
import { describe, expect, test } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { pdfTexts } from '../../support/pdf';
import type { ReportColumn, ReportDocument } from '../../../sandbox/src/reports/document/types';
import { toPdf } from '../../../sandbox/src/reports/formats/pdf';
import { printableText, widthOf } from '../../../sandbox/src/reports/formats/pdf-fonts';
import { CLIENT, NOW } from './support';

const HARD = 'A (b) \\ c) – — ‘d’ “e” • é ÿ £ ~ … (';
const columns: ReportColumn[] = ['a', 'b'].map((key) => ({ key, title: `Column ${key}`, kind: 'text', width: 1 }));
const DOCUMENT: ReportDocument = {
  title: 'Note (₹) – é',
  period: '2026',
  lead: [HARD],
  figures: [],
  sections: [{ title: HARD, columns, rows: Array.from({ length: 100 }, (_, at) => ({ a: `${HARD} ${at}`, b: null })) }],
  notes: [],
};

describe.each([undefined, 'ABCPS1234K'])('With the password %s a PDF', (password) => {
  test('has each character of each text, its title and the time at which it was made', async () => {
    const data = await toPdf(DOCUMENT, CLIENT, NOW, password);
    const texts = await pdfTexts(data, password);
    expect(texts.filter((text) => text === HARD)).toHaveLength(2);
    for (const at of [0, 50, 99]) expect(texts).toContain(`${HARD} ${at}`);
    const file = await getDocumentProxy(Uint8Array.from(data), { password });
    const { info } = await file.getMetadata();
    expect(info).toMatchObject({
      Title: 'Note (₹) – é',
      Author: 'brokerage-sandbox',
      CreationDate: 'D:20261121043000Z',
    });
    expect(texts).toContain(`Page ${file.numPages} of ${file.numPages}`);
    await file.destroy();
  });

  test('is as wide as its letters are, as the reader measures them', async () => {
    const file = await getDocumentProxy(Uint8Array.from(await toPdf(DOCUMENT, CLIENT, NOW, password)), { password });
    const { items } = await (await file.getPage(1)).getTextContent();
    const measured = items.flatMap((item) => ('str' in item && item.str === HARD ? [item.width / item.height] : []));
    await file.destroy();
    expect(measured[0]).toBeCloseTo(widthOf(HARD, 'Helvetica-Bold'), 3);
  });
});

test('The same document is the same file, to the byte', async () => {
  const [one, other] = [await toPdf(DOCUMENT, CLIENT, NOW), await toPdf(DOCUMENT, CLIENT, NOW)];
  expect(one.equals(other)).toBe(true);
});

test('What a font does not have is shown as a question mark, and nothing is left out', () => {
  expect(printableText('₹1 −2 ठ x\u0007')).toBe('Rs 1 –2 ? x?');
});
