/** A document as the JSON of a VIEW. Amounts are paise like everywhere in the service; units and NAVs of funds are decimals. */
import { numeric } from '../document/format';
import type { Period, ReportClient, ReportDocument, Row, Section, Value, ValueKind } from '../document/types';

export function toView(document: ReportDocument, client: ReportClient, type: string, period: Period) {
  return {
    message: type,
    res: {
      type,
      title: document.title,
      client_code: client.clientCode,
      from_date: period.from,
      to_date: period.to,
      unit: 'paise',
      summary: Object.fromEntries(document.figures.map(({ key, kind, value }) => [key, plain(value, kind)])),
      sections: document.sections.map((section) => ({
        title: section.title,
        rows: section.rows.map((row) => plainRow(section, row)),
        totals: section.totals ? plainRow(section, section.totals) : null,
      })),
      notes: document.notes,
    },
  };
}

function plainRow(section: Section, row: Row): Row {
  return Object.fromEntries(
    section.columns.filter(({ key }) => key in row).map(({ key, kind }) => [key, plain(row[key] ?? null, kind)]),
  );
}

function plain(value: Value, kind: ValueKind): Value {
  return typeof value === 'number' ? numeric(value, kind, 1) : value;
}
