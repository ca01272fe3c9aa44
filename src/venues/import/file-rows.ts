import { createReadStream } from 'node:fs'
import { type Header, readHeader, recordOf } from './csv-record.ts'
import { csvRows } from './csv-rows.ts'
import { jsonElements } from './json-elements.ts'
import { featureRecord, isFeature } from './osm-record.ts'
import { MAX_CHARACTERS, type Piece } from './piece.ts'

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

type Read = { record: unknown } | { problem: string }

/** How to read the rows of a kind of file. */
export type RowReader<H> = {
  readHeader: (cells: readonly string[]) => H
  recordOf: (header: H, cells: readonly string[], hasDecimalCommas: boolean) => Read
  featureRecord: (value: unknown) => Read
}

const venueReader: RowReader<Header> = { readHeader, recordOf, featureRecord }

/** The rows of a file: of venues, or of what `reader` reads. */
export const rowsOf = (
  chunks: AsyncIterable<string>,
  format: Format,
  // biome-ignore lint/suspicious/noExplicitAny: the reader alone knows its header
  reader: RowReader<any> = venueReader,
): AsyncGenerator<FileRow> =>
  format === 'csv' ? csvRecords(chunks, reader) : jsonRecords(chunks, reader)

async function* csvRecords<H>(
  chunks: AsyncIterable<string>,
  { readHeader, recordOf }: RowReader<H>,
): AsyncGenerator<FileRow> {
  const { separator, text } = await separated(chunks)
  let header: H | undefined
  for await (const piece of csvRows(text, MAX_CHARACTERS, separator)) {
    if ('value' in piece && piece.value.every((cell) => cell.trim() === '')) continue
    if (!header) {
      if ('problem' in piece)
        throw new Error(`The first row must name the columns: it ${piece.problem}.`)
      header = readHeader(piece.value)
      continue
    }
    const named = header
    yield rowOf(piece, (cells) => recordOf(named, cells, separator !== ','))
  }
  if (!header) throw new Error('The file is empty: its first row must name the columns.')
}

/** Spreadsheets may separate with semicolons or tabs, and may declare it: `sep=;`. */
async function separated(chunks: AsyncIterable<string>) {
  const rest = chunks[Symbol.asyncIterator]()
  let start = ''
  for (let isDone = false; !isDone && !start.includes('\n') && start.length < MAX_CHARACTERS; ) {
    const { done, value } = await rest.next()
    isDone = done === true
    start += value ?? ''
  }
  const [, said, text = start] = /^\ufeff?(?:sep=([,;\t])\r?(?=\n))?(.*)$/s.exec(start) ?? []
  const names = /^.*/.exec(text.replace(/"[^"]*"/g, ''))?.[0] ?? ''
  const inOrder = [',', ';', '\t'].sort(
    (one, other) => names.split(other).length - names.split(one).length,
  )
  async function* again() {
    yield text
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { separator: said ?? inOrder[0] ?? ',', text: again() }
}

async function* jsonRecords(
  chunks: AsyncIterable<string>,
  { featureRecord }: RowReader<unknown>,
): AsyncGenerator<FileRow> {
  for await (const piece of jsonElements(chunks)) {
    yield rowOf(piece, (value) =>
      isFeature(value) ? featureRecord(value) : { record: withoutNulls(value) },
    )
  }
}

/** A field that is null is missing. */
const withoutNulls = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value

function rowOf<T>(piece: Piece<T>, parse: (value: T) => Read): FileRow {
  if ('problem' in piece) return piece
  const { value, ...place } = piece
  const result = parse(value)
  return 'problem' in result ? { ...place, ...result } : { ...place, value: result.record }
}
