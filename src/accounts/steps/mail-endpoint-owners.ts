import { DAY_MS } from '../../base/durations.ts'
import { runPass } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { countAttempt } from '../../platform/database/throttle.ts'
import { mailEach } from '../../platform/mail/mail-each.ts'
import type { SendMail } from '../../platform/mail/send-mail.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { MAIL_AFTER_MS } from '../../webhooks/rules/trouble.ts'
import {
  claimIncidents,
  releaseIncident,
  selectAccountsToMail,
} from '../../webhooks/store/endpoint-troubles.ts'
import { endpointMail } from '../rules/endpoint-mail.ts'
import { selectVerifiedEmails } from '../store/developers.ts'

export type EndpointMailDeps = {
  db: Pool
  publicUrl: string
  /** undefined if email is not configured */
  sendMail: SendMail | undefined
  log: Log
}

/** Emails per account in 24 hours, so that an unstable endpoint does not fill a mailbox. */
const MAX_MAILS = 5

/**
 * Emails the owners of endpoints that have failed for an hour or were disabled by the network, once
 * per incident and in one email for all endpoints of an account. Accounts over the limit are
 * emailed later, if their endpoints still fail. Recipients that no server accepts are retried in
 * the next pass. A crash after the claim loses the email, but the dashboard still shows the state.
 */
export async function mailEndpointOwners(deps: EndpointMailDeps, at: Date): Promise<Pass | null> {
  const { db, sendMail } = deps
  if (!sendMail) return null
  const failedBefore = new Date(at.getTime() - MAIL_AFTER_MS)
  return runPass(deps, 'endpoint-mails', {
    select: (page) => selectAccountsToMail(db, failedBefore, page),
    idOf: ({ account_id }) => account_id,
    help: ({ account_id }) => mailAccount({ ...deps, sendMail }, account_id, failedBefore, at),
  })
}

async function mailAccount(
  { db, publicUrl, sendMail, log }: EndpointMailDeps & { sendMail: SendMail },
  accountId: string,
  failedBefore: Date,
  at: Date,
): Promise<boolean> {
  const emails = await selectVerifiedEmails(db, accountId)
  if (emails.length === 0) return false
  const { tries } = await countAttempt(db, `endpoint mails:${accountId}`, DAY_MS / 1000, at)
  if (tries > MAX_MAILS) return false
  const endpoints = await claimIncidents(db, accountId, failedBefore)
  if (endpoints.length === 0) return false
  const mail = endpointMail(endpoints, publicUrl)
  const incidents = endpoints.map((endpoint) => `${endpoint.id} ${endpoint.about}`)
  const about = incidents.toSorted().join(' ')
  try {
    await mailEach({ db, sendMail }, emails, { about, mail, at })
  } catch (error) {
    for (const endpoint of endpoints) await releaseIncident(db, endpoint)
    throw error
  }
  log.info(
    { account_id: accountId, endpoints: endpoints.length },
    'an owner of endpoints was emailed',
  )
  return true
}
