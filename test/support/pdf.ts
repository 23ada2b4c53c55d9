/** Reads PDFs, so that a test sees what their reader sees. */
import { extractText, getDocumentProxy } from 'unpdf';

/**
 * The text of a PDF, its pages after each other and each run of white space as one space or line break.
 * @throws what pdf.js throws: `PasswordException` when the PDF is encrypted and the password is missing or wrong
 */
export async function pdfText(data: Uint8Array, password?: string): Promise<string> {
  // A copy, as pdf.js takes the bytes that it is given for itself.
  const document = await getDocumentProxy(Uint8Array.from(data), { password });
  try {
    return (await extractText(document, { mergePages: true })).text;
  } finally {
    await document.destroy();
  }
}

/** The texts of a PDF as they were set, one after the other: a cell of a table is one, or one for each of its lines. */
export async function pdfTexts(data: Uint8Array, password?: string): Promise<string[]> {
  const document = await getDocumentProxy(Uint8Array.from(data), { password });
  try {
    const texts: string[] = [];
    for (let page = 1; page <= document.numPages; page += 1) {
      const { items } = await (await document.getPage(page)).getTextContent();
      for (const item of items) if ('str' in item && item.str.trim() !== '') texts.push(item.str);
    }
    return texts;
  } finally {
    await document.destroy();
  }
}
