import { z } from 'zod'
import { named } from '../../contract/named.ts'
import { bookingStatus } from '../../contract/public.ts'
import { actors } from '../rules/timeline.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** One entry of a timeline, as the owner of the booking sees it. */
export const timelineEntry = named('TimelineEntry', {
  number: z.int().describe('From 1, without gaps'),
  at: z.iso.datetime(),
  by: z.enum(actors).describe('Who did it'),
  what: z.string(),
  why: z.string(),
  revision: z.int().describe('The booking’s revision after this entry'),
  status: bookingStatus.describe('The booking’s status after this entry'),
  previous: hash.describe('Hash of the previous entry; 64 zeros in the first'),
  hash: hash.describe('SHA-256 of this entry, bound to the booking and the previous entry'),
})
export type TimelineEntry = z.infer<typeof timelineEntry>

/** A booking's timeline with everything that verification needs (docs/protocols/timeline.md). */
export const timeline = z.object({
  booking_id: z.uuid(),
  entries: z.array(timelineEntry),
  head: hash.describe('Hash of the last entry, as stored with the booking; 64 zeros if none'),
  complete: z
    .boolean()
    .describe('False for a booking older than timelines: its beginning was not recorded'),
  signed_at: z.iso.datetime(),
  signature: z
    .object({
      alg: z.literal('Ed25519'),
      kid: z.string().describe('Id of the public key at `keys_url`'),
      value: z.string().describe('base64url'),
      signed: z.string().describe('What was signed'),
      keys_url: z.url(),
    })
    .nullable()
    .describe('null when the stored entries do not lead to `head`: they cannot be vouched for'),
})
