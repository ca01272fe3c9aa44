import { z } from 'zod'

/** A timestamptz column as the ISO 8601 string that the doors answer. */
export const isoTime = z.date().transform((at) => at.toISOString())

/**
 * A timestamptz in a page of rows. One that cannot be read, such as `infinity`, is an invalid date:
 * it fails where it is used, for its row, and not for the page.
 */
export const timeInPage = z.date().catch(() => new Date(Number.NaN))

/** A timestamptz in JSON that PostgreSQL built, as the ISO 8601 string that the doors answer. */
export const isoTimeInJson = z.string().transform((at) => new Date(at).toISOString())

export const idRow = z.object({ id: z.uuid() })
export const countRow = z.object({ count: z.int() })
