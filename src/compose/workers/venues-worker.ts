import { Worker } from '@temporalio/worker'
import { VENUES_QUEUE } from '../../base/task-queues.ts'
import { publicUrlOf } from '../../config/config.ts'
import { countVenueCalls } from '../../confirmation/steps/venue-metrics.ts'
import { whatsAppOf } from '../../notices/rules/whatsapp-settings.ts'
import { countNoticeAttempts } from '../../notices/steps/notice-metrics.ts'
import { createSenders } from '../../notices/steps/senders.ts'
import { createOutbound } from '../../platform/http/client.ts'
import { connectorPolicy, subscriberPolicy } from '../../platform/http/target.ts'
import { atMost, createSendMail, mailTransport } from '../../platform/mail/send-mail.ts'
import { createTestVenues } from '../../sandbox/steps/test-venues.ts'
import { bookingDeps } from '../booking-deps.ts'
import { openFacilitator } from '../open-facilitator.ts'
import { openPayments } from '../open-payments.ts'
import { activitiesOf } from '../parts.ts'
import { openPushKeys } from '../settings.ts'
import { termsOf } from '../terms.ts'
import { BEAT, type QueueWorker, sharedOptions, type WorkerBase } from './worker-base.ts'

/** Maximum concurrent calls to venues. */
const MAX_CALLS = 500
/** Maximum concurrent connections to the mail server. */
const MAX_MAILS = 20

/** Calls to venues and the payment provider, notices to staff, emails to guests and developers. */
export async function openVenuesWorker(base: WorkerBase): Promise<QueueWorker> {
  const { config, instruments, db, sealer, engine, log, stopping } = base
  const outbound = createOutbound(connectorPolicy(config))
  const x402 = openFacilitator(config, db)
  const sendsMail = mailTransport(config) !== 'none'
  const mailing = {
    publicUrl: publicUrlOf(config),
    sendMail: sendsMail ? atMost(MAX_MAILS, createSendMail(config, db, log)) : undefined,
  }
  const keys = openPushKeys(config, mailing.publicUrl)
  // People choose these addresses, so what the operator allows itself is not for them.
  const push = keys && { keys, outbound: createOutbound(subscriberPolicy(config)) }
  const worker = await Worker.create({
    ...sharedOptions(base),
    taskQueue: VENUES_QUEUE,
    activities: await activitiesOf('venues', {
      db,
      engine,
      outbound,
      sealer,
      log,
      stopping,
      ...mailing,
      steps: bookingDeps(termsOf(config), engine, log),
      count: countVenueCalls(instruments.metrics),
      countAttempt: countNoticeAttempts(instruments.metrics),
      senders: createSenders({
        ...{ db, outbound, sealer, log, ...mailing, push },
        whatsApp: whatsAppOf(config),
      }),
      testVenues: createTestVenues({ db, engine }),
      facilitator: x402?.facilitator,
      payments: await openPayments(config, { db, publicUrl: mailing.publicUrl, log }),
      proMonthlyUsd: config.PRO_MONTHLY_USD,
    }),
    maxConcurrentActivityTaskExecutions: MAX_CALLS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  return {
    worker,
    async close() {
      await outbound.close()
      await push?.outbound.close()
      await x402?.close?.()
    },
  }
}
