import sql from 'sql-template-tag'
import { z } from 'zod'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { endpointStatuses } from '../rules/statuses.ts'

/** Disabled by the network or an operator, not by the owner. */
const isCutOff = sql`(e.status = 'disabled' and e.status_reason in ('failing', 'gone', 'operator'))`
const isFailing = sql`(e.status = 'active' and e.failing_since is not null)`

const troubleRow = z.object({ id: z.uuid(), url: z.string(), status: z.enum(endpointStatuses) })
/** An endpoint that is failing or that the network has disabled. */
export type EndpointTrouble = z.infer<typeof troubleRow>

/** The account's endpoints that need attention, newest first. */
export const selectEndpointTroubles = (db: Db, accountId: string) =>
  query.rows(db, troubleRow)`
    select e.id, e.url, e.status from endpoint e
    where e.account_id = ${accountId} and e.deleted_at is null and (${isFailing} or ${isCutOff})
    order by e.id desc`

const statesRow = z.object({
  all: z.int(),
  active: z.int(),
  failing: z.int(),
  unverified: z.int(),
  paused: z.int(),
  disabled: z.int(),
})

/** Endpoints in each state, of one account or of all. Failing ones do not count as active. */
export const countEndpointStates = (db: Db, accountId: string | null) =>
  query.row(db, statesRow)`
    select count(*) as all, count(*) filter (where ${isFailing}) as failing,
      count(*) filter (where e.status = 'active' and e.failing_since is null) as active,
      count(*) filter (where e.status = 'unverified') as unverified,
      count(*) filter (where e.status = 'paused') as paused,
      count(*) filter (where e.status = 'disabled') as disabled
    from endpoint e where (${accountId}::uuid is null or e.account_id = ${accountId})
      and e.deleted_at is null`

/** What an email is about: a period of failures, or a disabling until the owner intervenes. */
const incident = (failedBefore: Date) => sql`case
  when ${isCutOff} then 'disabled'
  when ${isFailing} and e.failing_since <= ${failedBefore}
    then 'failing ' || extract(epoch from e.failing_since)::text end`

const accountRow = z.object({ account_id: z.uuid() })

/** Accounts with incidents not yet emailed, ordered by id. */
export const selectAccountsToMail = (db: Db, failedBefore: Date, { after, limit }: PageOfIds) =>
  query.rows(db, accountRow)`
    select distinct e.account_id from endpoint e
    where e.deleted_at is null and (${after}::uuid is null or e.account_id > ${after})
      and (e.failing_since is not null or e.status = 'disabled')
      and ${incident(failedBefore)} is distinct from e.mailed_about
      and ${incident(failedBefore)} is not null and ${isInRealTime(sql`e.account_id`)}
    order by e.account_id limit ${limit}`

const claimedRow = z.object({
  id: z.uuid(),
  url: z.string(),
  status: z.enum(['active', 'disabled']),
  status_reason: z.string().nullable(),
  failing_since: z.date().nullable(),
  about: z.string(),
  mailed_before: z.string().nullable(),
})
/** An endpoint for an email to its owner, and the incident of the previous email. */
export type MailedEndpoint = z.infer<typeof claimedRow>

/** Marks the account's incidents as emailed. Of concurrent callers, only one gets each incident. */
export const claimIncidents = (db: Db, accountId: string, failedBefore: Date) =>
  query.rows(db, claimedRow)`
    with due as (
      select e.id, ${incident(failedBefore)} as about, e.mailed_about as mailed_before
      from endpoint e where e.account_id = ${accountId} and e.deleted_at is null
      order by e.id for no key update)
    update endpoint e set mailed_about = due.about
    from due where e.id = due.id and due.about is not null
      and due.about is distinct from due.mailed_before
    returning e.id, e.url, e.status, e.status_reason, e.failing_since, due.about,
      due.mailed_before`

/** Undoes `claimIncidents` for an email that was not sent. */
export const releaseIncident = (db: Db, { id, about, mailed_before }: MailedEndpoint) =>
  query.execute(db)`
    update endpoint set mailed_about = ${mailed_before}
    where id = ${id} and mailed_about = ${about}`
