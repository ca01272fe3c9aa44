import { z } from 'zod'
import { refuse } from '../base/errors.ts'

/** A list position as opaque text: JSON in base64url. */
export const encodeCursor = (position: object): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** The time and id of a list's last row. */
export const timePosition = z
  .tuple([z.iso.datetime(), z.uuid()])
  .transform(([at, id]) => ({ at: new Date(at), id }))

export const slugInCursor = z.string().regex(/^[a-z0-9-]+$/)

/** Reverses `encodeCursor`, null without a cursor; throws `invalid_cursor` for any other text. */
export function decodeCursor<S extends z.ZodType>(schema: S, cursor: string | undefined) {
  if (cursor === undefined) return null
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (encodeCursor(position) !== cursor) throw new Error('spelt as we do not')
    return schema.parse(position)
  } catch {
    throw refuse('invalid_cursor')
  }
}

/** The id of a list's last row, which is its cursor; throws `invalid_cursor` for any other text. */
export function idInCursor(cursor: string | undefined): string | null {
  if (cursor !== undefined && !z.uuid().safeParse(cursor).success) throw refuse('invalid_cursor')
  return cursor ?? null
}

/** The first `limit` of up to `limit + 1` rows, and a cursor if more follow. */
export function pageOf<T>(matches: readonly T[], limit: number, cursorAfter: (last: T) => string) {
  const rows = matches.slice(0, limit)
  const last = matches.length > limit ? rows.at(-1) : undefined
  return { rows, next_cursor: last === undefined ? null : cursorAfter(last) }
}
