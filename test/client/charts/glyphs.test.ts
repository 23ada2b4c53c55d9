/** Letters of pictures: small ones are their own, and every picture is a card with an edge. */
import { Canvas } from '../../../client/charts/canvas';
import { GLYPHS } from '../../../client/charts/glyphs';
import { emptyCard, INK } from '../../../client/charts/style';

it('has a glyph for each small letter, which is not its capital', () => {
  const same = [...'abcdefghijklmnopqrstuvwxyz'].filter(
    (letter) => GLYPHS[letter] === undefined || GLYPHS[letter] === GLYPHS[letter.toUpperCase()],
  );
  expect(same).toEqual([]);
});

it('draws small letters small: nothing above them, and a tail below the line', () => {
  const rowsOf = (text: string): number[] => {
    const canvas = new Canvas(60, 60, [255, 255, 255]);
    canvas.text(10, 10, text, 24, INK);
    const dark = Array.from(canvas.rgb.keys()).filter((at) => canvas.rgb[at]! < 128);
    const rows = dark.map((at) => Math.floor(at / (60 * 3)));
    return [Math.min(...rows), Math.max(...rows)];
  };
  const [[capitalTop, line], [smallTop, tail]] = [rowsOf('D'), rowsOf('g')] as [[number, number], [number, number]];
  expect(smallTop).toBeGreaterThan(capitalTop + 5);
  expect(tail).toBeGreaterThan(line + 3);
});

it('a picture has an edge in another colour than its ground, on all sides', () => {
  const { rgb } = emptyCard(20, 10);
  const dot = (x: number, y: number): string => rgb.slice((y * 20 + x) * 3, (y * 20 + x) * 3 + 3).join(' ');
  expect(new Set([dot(0, 5), dot(19, 5), dot(10, 0), dot(10, 9)]).size).toBe(1);
  expect(dot(10, 5)).not.toBe(dot(0, 5));
});
