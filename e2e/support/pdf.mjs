import { extractText, getDocumentProxy } from 'unpdf';

/** The text of a PDF, its pages after each other; rejects when it is encrypted and the password is missing or wrong. */
export async function pdfText(data, password) {
  // A copy, as pdf.js takes the bytes that it is given for itself.
  const document = await getDocumentProxy(Uint8Array.from(data), { password });
  try {
    return (await extractText(document, { mergePages: true })).text;
  } finally {
    await document.destroy();
  }
}
