import { z } from 'zod'
import { encodeCursor } from '../../contract/cursor.ts'
import type { Start } from './find-venues.ts'
import { isSelective } from './preferences.ts'
import { asksForSlots, type UnderstoodQuery } from './understand.ts'

export const MAX_PER_PAGE = 50
/** How many venues to compare if a party or a time is given; a page shows the best of them. */
const CHOICE = 30

/** The block size for a first page of `limit` venues; larger if prices, hours or slots matter. */
export const blockSize = (understood: UnderstoodQuery, limit: number): number =>
  isSelective(understood)
    ? MAX_PER_PAGE
    : asksForSlots(understood)
      ? Math.max(limit, CHOICE)
      : limit

/**
 * The content of a cursor: a block of venues, and those already shown. Pages take a block's free
 * venues, and the next block begins where the block ends, so that each venue appears once, whatever
 * happens to its slots between pages.
 */
export const position = z.strictObject({
  start: z
    .strictObject({
      step: z.int().min(0),
      rank: z.number(),
      slug: z.string().regex(/^[a-z0-9-]*$/),
    })
    .nullable(),
  size: z.int().min(1).max(MAX_PER_PAGE),
  shown: z.array(z.int().min(0)).max(MAX_PER_PAGE),
})

/** The cursor after a page: within the same block, then at the next; null after the last. */
export function nextCursorOf(
  here: z.infer<typeof position>,
  hasMore: boolean,
  next: Start | null,
): string | null {
  if (hasMore) return encodeCursor(here)
  return next && encodeCursor({ start: next, size: here.size, shown: [] })
}
