import { networkProfile } from '../../base/network.ts'
import { byNetwork, recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { deleteGrant } from '../store/grants.ts'

/** Why a grant ended by itself. */
export type GrantEnd = 'client' | 'replay'

type Deps = { db: Pool; sendMail: Services['sendMail']; log: Log; publicUrl: string }

/**
 * Ends a grant because its client gave it back (RFC 7009), or because a code or refresh token came
 * a second time, so that somebody may have copied it (RFC 9700, 4.14.2): then the person is told.
 */
export async function endGrant({ db, sendMail, log, publicUrl }: Deps, id: string, why: GrantEnd) {
  const at = new Date()
  const ended = await transaction(db, async (tx) => {
    const grant = await deleteGrant(tx, id)
    if (!grant) return undefined
    const change = { id, name: grant.client, details: { reason: why } }
    await recordAudit(tx, byNetwork(grant.account_id, at), 'connection.ended', change)
    return grant
  })
  if (!ended || why === 'client') return
  await sendMail({ to: ended.email, ...mail(ended, publicUrl) }).catch((error: unknown) =>
    log.error({ error: loggable(error) }, 'the email about a replayed sign-in was not sent'),
  )
}

const mail = ({ client }: { client: string }, publicUrl: string) => ({
  subject: `An assistant was disconnected from ${networkProfile.name}`,
  text: [
    `${client} used a sign-in that it had already exchanged for a newer one. Either somebody ` +
      'copied it, or the program lost the newer one. We disconnected it to be safe: it can no ' +
      'longer book or read for you.',
    '',
    'If you use it, connect it again. If you do not, check what was done in your account:',
    '',
    `${publicUrl}/dashboard/audit`,
    '',
    `${networkProfile.name}, ${publicUrl}\n`,
  ].join('\n'),
})
