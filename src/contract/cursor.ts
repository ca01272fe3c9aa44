import { z } from 'zod'
import { refuse } from './rules/errors.ts'

/** A position in a list as opaque text: base64url of JSON. */
export const encodeCursor = (position: object): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** A slug in a cursor: text of a stranger, until it looks like one. */
export const slugInCursor = z.string().regex(/^[a-z0-9-]+$/)

/** The position that a cursor stands for; throws `invalid_cursor` for anything that `encodeCursor` did not make. */
export function decodeCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw refuse('invalid_cursor')
  }
}
