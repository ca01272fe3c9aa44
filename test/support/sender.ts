import type { Client } from '@temporalio/client'
import { createEngine } from '../../src/compose/engine.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { createSealer, type Sealer } from '../../src/platform/sealing/sealing.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createEndpointNotifier } from '../../src/webhooks/hooks.ts'
import {
  DELIVER_SIGNAL,
  type EndpointStart,
  endpointWorkflowId,
  type SentNow,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { wakeWaitingEndpoints } from '../../src/webhooks/sender/upkeep.ts'
import { notifyOnCommit } from '../../src/webhooks/store/outbox.ts'
import { deliveriesOf, type EndpointOptions, type MadeEndpoint, makeEndpoint } from './endpoints.ts'
import type { Network } from './network.ts'
import { eventually } from './programs.ts'

/** A network's sender in a test, notified of the test's commits as if they were the doors'. */
export type Sender = {
  engine: NetworkEngine
  sealer: Sealer
  make(wish: EndpointOptions): Promise<MadeEndpoint>
  tell(start: EndpointStart): Promise<void>
  /** Does what the sweep does for endpoints, as of this time. */
  sweep(at: Date): Promise<unknown>
  handle(start: EndpointStart): ReturnType<Client['workflow']['getHandle']>
  /** Sends a delivery now, once none of its scheduled attempts is in flight. */
  retry(start: EndpointStart, deliveryId: string): Promise<SentNow>
  /** Waits until the endpoint has these numbers of deliveries by status. */
  until(start: EndpointStart, wanted: Record<string, number>, ms?: number): Promise<void>
}

export function openSender({ config, db, client }: Network): Sender {
  const sealer = createSealer(secretsKeys(config))
  const engine = createEngine(client)
  notifyOnCommit(
    db,
    createEndpointNotifier(engine, () => {}),
  )
  return {
    engine,
    sealer,
    make: (wish) => makeEndpoint(db, sealer, wish),
    tell: ({ endpointId, accountId }) =>
      engine.signalEndpoint({ endpointId, accountId }, { name: DELIVER_SIGNAL }),
    sweep: (at) => wakeWaitingEndpoints({ db, engine, log: createLog('silent') }, at),
    handle: ({ endpointId }) => client.workflow.getHandle(endpointWorkflowId(endpointId)),
    retry: (start, deliveryId) =>
      eventually('the retry', async () => {
        const sent = await engine.retryDelivery(start, deliveryId, 60)
        const isBusy = sent !== 'pending' && 'refused' in sent && sent.refused === 'busy'
        return sent !== 'pending' && !isBusy && sent
      }),
    async until(start, wanted, ms = 60_000) {
      const sorted = (counts: Record<string, number>) =>
        JSON.stringify(Object.entries(counts).sort())
      let now: Record<string, number> = {}
      const reached = async () => {
        now = await deliveriesOf(db, start)
        return sorted(now) === sorted(wanted)
      }
      await eventually(`deliveries ${JSON.stringify(wanted)}`, reached, ms).catch((error) => {
        throw new Error(`${error.message}; they are ${JSON.stringify(now)}`)
      })
    },
  }
}
