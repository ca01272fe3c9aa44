import { z } from 'zod'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type ChannelEnd, type ChannelKind, channelKinds } from '../rules/channel.ts'

/** The sealing context of a channel's address, so that it can be opened only in this row. */
export const channelContext = (id: string): string => `notice_channel/${id}`

const channelRow = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  position: z.int(),
  kind: z.enum(channelKinds),
  /** sealed */
  address: z.string(),
  opted_in_at: z.date(),
  heard_at: z.date().nullable(),
  ended_at: z.date().nullable(),
})

type NewChannel = {
  id: string
  personId: string
  kind: ChannelKind
  /** sealed in `channelContext` */
  address: string
  digest: Buffer
  optedInBy: 'person' | 'operator'
  at: Date
}

/** The id of a person's channel with an address, which may have ended. */
export const selectOptionalId = (db: Db, personId: string, digests: readonly Buffer[]) =>
  query.optionalValue(db, uuid)`
    select id from notice_channel
    where person_id = ${personId} and address_digest = any(${digests}::bytea[])
    order by opted_in_at desc, id limit 1`

/**
 * Adds a channel after the person's others. One that has ended is used again, so that whoever was
 * told of a matter by it is not told twice.
 */
export const insertChannel = (tx: Db, channel: NewChannel) =>
  query.execute(tx)`
    insert into notice_channel
      (id, person_id, position, kind, address, address_digest, opted_in_at, opted_in_by)
    select ${channel.id}, ${channel.personId}, coalesce(max(position), 0) + 1, ${channel.kind},
      ${channel.address}, ${channel.digest}, ${channel.at}, ${channel.optedInBy}
    from notice_channel where person_id = ${channel.personId}
    on conflict (id) do update set position = excluded.position, address = excluded.address,
      address_digest = excluded.address_digest, opted_in_at = excluded.opted_in_at,
      opted_in_by = excluded.opted_in_by, ended_at = null, ended_reason = null`

/** The channels of a person that have not ended, in the order in which they are tried. */
export const selectChannels = (db: Db, personId: string) =>
  query.rows(db, channelRow)`
    select id, person_id, position, kind, address, opted_in_at, heard_at, ended_at
    from notice_channel where person_id = ${personId} and ended_at is null order by position, id`

/** A channel that has not ended. */
export const selectOptionalChannel = (db: Db, id: string) =>
  query.optionalRow(db, channelRow)`
    select id, person_id, position, kind, address, opted_in_at, heard_at, ended_at
    from notice_channel where id = ${id} and ended_at is null`

const venueChannelRow = channelRow.extend({ ended_reason: z.string().nullable() })

/** The channels of everybody at a venue, including ended ones, which come last. */
export const selectVenueChannels = (db: Db, venueId: string) =>
  query.rows(db, venueChannelRow)`
    select c.id, c.person_id, c.position, c.kind, c.address, c.opted_in_at, c.heard_at, c.ended_at,
      c.ended_reason
    from notice_channel c join venue_person p on p.id = c.person_id and p.removed_at is null
    where p.venue_id = ${venueId}
    order by c.ended_at nulls first, c.position, c.id limit 500`

/** The channels with an address that have not ended; compares its digest under every key. */
export const selectChannelsByDigest = (db: Db, digests: readonly Buffer[]) =>
  query.rows(db, channelRow)`
    select id, person_id, position, kind, address, opted_in_at, heard_at, ended_at
    from notice_channel where address_digest = any(${digests}::bytea[]) and ended_at is null
    order by opted_in_at, id`

/** Lets a channel be tried before the person's others. */
export const moveChannelFirst = (tx: Db, id: string) =>
  query.execute(tx)`
    update notice_channel c set position = (
      select min(position) - 1 from notice_channel o where o.person_id = c.person_id)
    where id = ${id}`

/** Ends a channel; one that has ended keeps its reason. */
export const endChannel = (tx: Db, id: string, reason: ChannelEnd, at: Date) =>
  query.execute(tx)`
    update notice_channel set ended_at = ${at}, ended_reason = ${reason}
    where id = ${id} and ended_at is null`

/** Stores that an address said STOP. */
export const insertOptOut = (tx: Db, digest: Buffer, at: Date) =>
  query.execute(tx)`
    insert into notice_opt_out (address_digest, opted_out_at) values (${digest}, ${at})
    on conflict do nothing`

/** Forgets that an address said STOP, because its owner says so. */
export const deleteOptOut = (db: Db, digest: Buffer) =>
  query.execute(db)`delete from notice_opt_out where address_digest = ${digest}`

/** Whether an address said STOP; compares its digest under every key. */
export const isOptedOut = (db: Db, digests: readonly Buffer[]): Promise<boolean> =>
  query.affectsRow(db)`
    select from notice_opt_out where address_digest = any(${digests}::bytea[])`
