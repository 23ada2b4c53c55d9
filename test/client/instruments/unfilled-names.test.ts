/** Names that an alert or an expression did not fill in, and those of exchanges that are not known. */
import { refusal } from '../../support/refusal';
import { resolveName } from './listed-instruments';

it.each([
  ['{{ticker}}', /^Nothing has filled in \{\{ticker\}\}/],
  ['{{exchange}}:{{ticker}}', /^Nothing has filled in \{\{exchange\}\}/],
  ['NSE:{{ticker}}', /^Nothing has filled in \{\{ticker\}\}/],
  ['{ticker}', /^Nothing has filled in \{ticker\}/],
  ['{exchange}:{ticker}', /^Nothing has filled in \{exchange\}/],
  ['{{ $json.body.symbol }}', /set to Expression, and not to Fixed/],
])('%s is told to be a placeholder', (text, hint) => {
  expect(refusal(() => resolveName(text))).toMatchObject({
    message: `${JSON.stringify(text)} is a placeholder, and no instrument.`,
    hint: expect.stringMatching(hint),
  });
});

it.each(['NSE:', 'NSE:undefined', 'undefined', 'null', 'NSE: [object Object]'])(
  '%s, for which an expression found nothing, is refused with where to look',
  (text) => {
    expect(refusal(() => resolveName(text))).toMatchObject({
      message: `${JSON.stringify(text)} names no instrument.`,
      hint: expect.stringMatching(/^If the field is an expression, it finds nothing/),
    });
  },
);

it.each(['CDS:USDINR26DECFUT', 'BCD:USDINR', 'NCDEX:GUARSEED', 'NSEIX:NIFTY1!'])(
  '%s is on an exchange that is not known, and the error says which are',
  (text) => {
    expect(refusal(() => resolveName(text))).toMatchObject({
      message: `${JSON.stringify(text)} has no known exchange before its colon.`,
      hint: expect.stringContaining('CDS, BCD, NCDEX and exchanges abroad are not'),
    });
  },
);

it.each(['USDINR', 'USD/INR', 'NSE:EURINR26DECFUT', 'GBPINR 27 NOV FUT', 'jpyinr26nov60ce'])(
  '%s is a currency, and the error says that there are none',
  (text) => {
    expect(refusal(() => resolveName(text))).toMatchObject({
      hint: expect.stringContaining("The service's list has no currencies"),
    });
  },
);
