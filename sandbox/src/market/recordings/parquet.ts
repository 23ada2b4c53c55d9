import { isDate } from 'node:util/types';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData, SchemaElement } from 'hyparquet';
import { OptionError } from '../../shared/option-error';
import type { AssetCatalog } from '../reference/catalog';
import { planOf } from './columns';
import { refuseRow } from './read-error';
import { RowReader } from './rows';
import type { FileConfig } from './replay-config';
import type { FileRows } from './types';
import { MAX_UNPACKED_BYTES, unpacksToMore } from './unpacked-size';

/** Reads candles out of Parquet: its columns are those of CSV, its values become the texts that CSV would have. */

type Decompress = (input: Uint8Array, length: number) => Uint8Array;
const unpacked = (length: number) => ({ maxOutputLength: Math.max(length, 1) });
/** Beside these `hyparquet` has SNAPPY itself. */
const COMPRESSORS: Record<string, Decompress> = {
  GZIP: (input, length) => gunzipSync(input, unpacked(length)),
  BROTLI: (input, length) => brotliDecompressSync(input, unpacked(length)),
  ZSTD: (input, length) => zstdDecompressSync(input, unpacked(length)),
};
/** A value of a column takes so many bytes once it is read, however short it is in the file. */
const BYTES_PER_VALUE = 8;

/** More comes out of a file than is allowed. */
class UnpacksToMore extends Error {}

/** Compressors with a limit for the unpacked bytes of all pages of a file together. */
function boundedCompressors(
  maxBytes: number,
  snappy: (input: Uint8Array, output: Uint8Array) => void,
): Record<string, Decompress> {
  let left = maxBytes;
  const all: Record<string, Decompress> = {
    ...COMPRESSORS,
    SNAPPY: (input, length) => {
      const output = new Uint8Array(length);
      snappy(input, output);
      return output;
    },
  };
  const bounded =
    (decompress: Decompress): Decompress =>
    (input, length) => {
      left -= length;
      if (!(length >= 0 && left >= 0)) throw new UnpacksToMore();
      return decompress(input, length);
    };
  return Object.fromEntries(Object.entries(all).map(([codec, decompress]) => [codec, bounded(decompress)]));
}

/** True if the values that a file says it holds would take more than so many bytes; it may say less than it holds. */
function saysMoreThan(maxBytes: number, { row_groups: groups }: FileMetaData, read: ReadonlySet<string>): boolean {
  let bytes = 0;
  for (const { num_rows: rows, columns } of groups) {
    bytes += Number(rows) * read.size * BYTES_PER_VALUE;
    for (const { meta_data: chunk } of columns)
      if (chunk !== undefined && read.has(chunk.path_in_schema.join('.')))
        bytes += Number(chunk.total_uncompressed_size);
  }
  return !(bytes <= maxBytes);
}
const READABLE = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)];
/** Number of its units in a millisecond of the day. */
const PER_MILLISECOND: Record<string, number> = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 };

const because = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function metadataOf(file: string, bytes: ArrayBuffer): Promise<FileMetaData> {
  const { parquetMetadata } = await import('hyparquet');
  try {
    const metadata = parquetMetadata(bytes);
    if (metadata.schema.some(({ name }) => typeof name !== 'string')) throw new Error('a column has no name');
    return metadata;
  } catch (error) {
    throw new OptionError(`${file}, row 1: this is no whole Parquet file (${because(error)}); write or copy it again.`);
  }
}

/** Columns of single values, in the order of the file: lists and structures hold no candles. */
function columnsOf({ schema }: FileMetaData): SchemaElement[] {
  const elements: SchemaElement[] = [];
  let within = 0;
  for (const element of schema.slice(1)) {
    if (within > 0) within += (element.num_children ?? 0) - 1;
    else if (element.num_children) within = element.num_children;
    else if (element.repetition_type !== 'REPEATED') elements.push(element);
  }
  return elements;
}

/** The unit of a time of day; undefined where a column holds something else. */
function unitOfClock({ logical_type: logical, converted_type: converted }: SchemaElement): string | undefined {
  if (logical?.type === 'TIME') return logical.unit;
  return /^TIME_(MILLIS|MICROS)$/.exec(converted ?? '')?.[1];
}

/** Returns the writer of a column's values in CSV. @param timezone set by the user for times that do not say theirs */
function textOf(column: SchemaElement, timezone: string | undefined): (value: unknown) => string {
  const { logical_type: logical, converted_type: converted } = column;
  const unit = unitOfClock(column);
  const isDay = logical?.type === 'DATE' || converted === 'DATE';
  // A file of an older writer does not say whether its instants are UTC; most are.
  const isUtc = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : timezone === undefined;
  return (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return '';
    if (unit !== undefined)
      return new Date(Math.floor(Number(value) / PER_MILLISECOND[unit]!)).toISOString().slice(11, 19);
    if (!isDate(value)) return String(value).trim();
    if (Number.isNaN(value.getTime())) return '';
    const iso = value.toISOString();
    if (isDay) return iso.slice(0, 10);
    return isUtc ? iso : iso.slice(0, -1);
  };
}

/**
 * Reads a Parquet file of candles: uncompressed, or compressed with snappy, gzip, zstd or brotli.
 * @param maxUnpacked what comes out of it at most, bytes
 * @throws OptionError that says the file, the row (from 1) and what to do
 */
export async function readParquet(
  file: string,
  content: Uint8Array,
  terms: FileConfig,
  catalog: AssetCatalog,
  maxUnpacked = MAX_UNPACKED_BYTES,
): Promise<FileRows> {
  const bytes = new Uint8Array(content).buffer;
  // Loaded with the first such file: it is an ES module, which jest and older Node.js cannot require.
  const { parquetReadObjects, snappyUncompress } = await import('hyparquet');
  const metadata = await metadataOf(file, bytes);
  const columns = columnsOf(metadata);
  const plan = planOf(
    columns.map(({ name }) => name),
    terms,
    true,
  );
  if (typeof plan === 'string') return refuseRow(file, 1, plan);
  const requested = new Set(
    [plan.places, ...(plan.wide?.values() ?? [])]
      .flatMap((places) => Object.values(places))
      .map((place) => columns[place]!.name),
  );
  for (const { meta_data: chunk } of metadata.row_groups.flatMap((group) => group.columns))
    if (chunk !== undefined && requested.has(chunk.path_in_schema.join('.')) && !READABLE.includes(chunk.codec))
      refuseRow(
        file,
        1,
        `it is compressed with ${chunk.codec}; write it with snappy, gzip, zstd or brotli, or with none`,
      );
  if (saysMoreThan(maxUnpacked, metadata, requested)) refuseRow(file, 1, unpacksToMore(maxUnpacked));
  const compressors = boundedCompressors(maxUnpacked, snappyUncompress);
  const texts = columns.map((column) => textOf(column, terms.zone));
  const reader = new RowReader(file, terms, plan, catalog);
  let begin = 0;
  for (const group of metadata.row_groups) {
    const end = begin + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file: bytes,
      metadata,
      columns: [...requested],
      rowStart: begin,
      rowEnd: end,
      compressors,
    }).catch((error: unknown) =>
      error instanceof UnpacksToMore
        ? refuseRow(file, begin + 1, unpacksToMore(maxUnpacked))
        : refuseRow(
            file,
            begin + 1,
            `the rows from here to ${end} cannot be read (${because(error)}); write or copy the file again`,
          ),
    );
    for (const [i, row] of rows.entries())
      reader.add(
        columns.map(({ name }, place) => (requested.has(name) ? texts[place]!(row[name]) : '')),
        begin + i + 1,
      );
    begin = end;
  }
  return reader.result();
}
