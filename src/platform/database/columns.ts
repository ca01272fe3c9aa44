import { z } from 'zod'

/** A timestamptz column as the ISO 8601 string that doors return. */
export const isoTime = z.date().transform((at) => at.toISOString())

/**
 * A timestamptz in a page of rows. An unreadable value, such as `infinity`, becomes an invalid
 * date, so only the row that uses it fails, not the whole page.
 */
export const timeInPage = z.date().catch(() => new Date(Number.NaN))

/** A timestamptz in JSON built by PostgreSQL, as the ISO 8601 string that doors return. */
export const isoTimeInJson = z.string().transform((at) => new Date(at).toISOString())

// Single columns, for `queryValue`.
export const uuid = z.uuid()
export const int = z.int()
export const boolean = z.boolean()
export const text = z.string()

export const idRow = z.object({ id: z.uuid() })
export const countRow = z.object({ count: z.int() })
