import { z } from 'zod'
import { revokeLink, selectLinks } from '../confirmation/store/venue-links.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Pool } from '../platform/database/sql.ts'
import { venueOf } from './connect-venue.ts'
import { defineOperatorCommand } from './operator-program.ts'

export const listLinks = defineOperatorCommand({
  words: 'links',
  summary: "List the links to the page of the venue's staff, including those in notices.",
  details: 'A link is shown only once, when it is created; the list has the ids.',
  args: { slug: { about: 'Slug of the venue, as search shows it' } },
  examples: ['links senja-table-ubud'],
  run: ({ args, onDatabase, at }) => onDatabase((db) => linkTable(db, args.slug, at)),
})

export const endLink = defineOperatorCommand({
  words: 'revoke-link',
  summary: "End one link to the page of a venue's staff, at once.",
  args: { link: { about: 'Id of the link, as `links` shows it' } },
  examples: ['revoke-link 0197a1f0-0000-7000-8000-000000000000'],
  async run({ args: { link }, onDatabase, at }) {
    if (!z.uuid().safeParse(link).success) {
      throw new UsageError(`revoke-link takes an id, as \`links\` shows it, not ${link}.`)
    }
    const revoked = await onDatabase((db) => revokeLink(db, link, at))
    if (revoked === 0) throw new Error(`There is no link ${link} that is not revoked yet.`)
    return `The link ${link} opens nothing from now on.`
  },
})

/** All of a venue's links as text, newest first. */
export async function linkTable(db: Pool, slug: string, at: Date): Promise<string> {
  const venue = await venueOf(db, slug)
  const links = await selectLinks(db, venue.id)
  if (links.length === 0) return `There is no link to the page of ${venue.name}.`
  const rows = links.map(({ id, booking_id, created_at, expires_at, revoked_at }) => [
    id,
    revoked_at ? 'revoked' : expires_at <= at ? 'expired' : 'valid',
    booking_id ? `notices of ${booking_id}` : 'an operator',
    created_at.toISOString(),
    expires_at.toISOString(),
  ])
  return plainTable(['LINK', 'STATE', 'MADE FOR', 'CREATED', 'EXPIRES'], rows)
}
