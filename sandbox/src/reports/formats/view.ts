/** A document as the JSON of a VIEW. Amounts are paise like everywhere in the service; units and NAVs of funds are decimals. */
import { numericValue } from '../document/format';
import type {
  ReportPeriod,
  ReportClient,
  ReportDocument,
  ReportRow,
  ReportSection,
  Value,
  ValueKind,
} from '../document/types';

/** The text of a VIEW in pieces of at most a row, made when they are asked for: a section may have tens of thousands of rows. */
export function* toView(
  document: ReportDocument,
  client: ReportClient,
  type: string,
  period: ReportPeriod,
): Generator<string> {
  const summary = Object.fromEntries(document.figures.map(({ key, kind, value }) => [key, plain(value, kind)]));
  const head = {
    type,
    title: document.title,
    client_code: client.clientCode,
    from_date: period.from,
    to_date: period.to,
    unit: 'paise',
    summary,
  };
  yield `{"message":${JSON.stringify(type)},"res":${JSON.stringify(head).slice(0, -1)},"sections":[`;
  for (const [index, section] of document.sections.entries()) {
    yield `${index === 0 ? '' : ','}{"title":${JSON.stringify(section.title)},"rows":[`;
    for (const [at, row] of section.rows.entries())
      yield (at === 0 ? '' : ',') + JSON.stringify(plainRow(section, row));
    yield `],"totals":${JSON.stringify(section.totals ? plainRow(section, section.totals) : null)}}`;
  }
  yield `],"notes":${JSON.stringify(document.notes)}}}`;
}

function plainRow(section: ReportSection, row: ReportRow): ReportRow {
  return Object.fromEntries(
    section.columns.filter(({ key }) => key in row).map(({ key, kind }) => [key, plain(row[key] ?? null, kind)]),
  );
}

function plain(value: Value, kind: ValueKind): Value {
  return typeof value === 'number' ? numericValue(value, kind, 1) : value;
}
