import { afterAll, beforeAll, test } from 'vitest'
import { type Network, openNetwork } from '../support/network.ts'
import {
  hasFailedTwice,
  isGivenUp,
  lasts,
  outliveDatabase,
  outliveTemporal,
} from '../support/outages.ts'
import { openSender, type Sender } from '../support/sender.ts'

let network: Network
let sender: Sender

beforeAll(async () => {
  network = await openNetwork()
  sender = openSender(network)
})
afterAll(() => network?.close())

test('after a database outage under load, every accepted event arrives', () =>
  outliveDatabase({ network, sender }, hasFailedTwice))

test('after an interval without Temporal under load, every accepted event arrives', () =>
  outliveTemporal({ network, sender }, isGivenUp))

test('after twelve seconds without a database under load, every accepted event arrives', () =>
  outliveDatabase({ network, sender }, lasts(12_000)))

test(
  'after a minute without Temporal under load, every accepted event arrives',
  () => outliveTemporal({ network, sender }, lasts(60_000)),
  300_000,
)
