import { createReadStream } from 'node:fs'
import { type Column, readHeader, recordOf } from './csv-record.ts'
import { csvRows } from './csv-rows.ts'
import { jsonElements } from './json-elements.ts'
import { featureRecord, isFeature } from './osm-record.ts'
import type { Piece } from './piece.ts'

export const formats = ['json', 'csv', 'geojson'] as const
export type Format = (typeof formats)[number]

/** A row of a file as an unvalidated record. */
export type FileRow = Piece<unknown> & { size: number }

/** The text of a file in chunks. Bytes that are not UTF-8 become U+FFFD, which no field accepts. */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let isFirst = true
  for await (const chunk of createReadStream(file)) {
    if (isFirst && isUtf16(chunk)) throw new Error(`${file} is UTF-16; save it as UTF-8.`)
    isFirst = false
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

/** UTF-16 begins with a byte order mark, or with an ASCII character next to a zero byte. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0) !== (second === 0)

export const rowsOf = (chunks: AsyncIterable<string>, format: Format): AsyncGenerator<FileRow> =>
  format === 'csv' ? csvRecords(chunks) : jsonRecords(chunks)

async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let header: Column[] | undefined
  for await (const piece of csvRows(chunks)) {
    if (!header) {
      if ('problem' in piece)
        throw new Error(`The first row must name the columns: it ${piece.problem}.`)
      header = readHeader(piece.value)
      continue
    }
    yield rowOf(piece, (cells) => recordOf(header ?? [], cells))
  }
  if (!header) throw new Error('The file is empty: its first row must name the columns.')
}

async function* jsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRow> {
  for await (const piece of jsonElements(chunks)) {
    yield rowOf(piece, (value) => (isFeature(value) ? featureRecord(value) : { record: value }))
  }
}

function rowOf<T>(
  piece: Piece<T>,
  parse: (value: T) => { record: unknown } | { problem: string },
): FileRow {
  if ('problem' in piece) return piece
  const { value, ...place } = piece
  const result = parse(value)
  return 'problem' in result ? { ...place, ...result } : { ...place, value: result.record }
}
