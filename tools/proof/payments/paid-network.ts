import { choosePort } from '../../../src/local/ports.ts'
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts'
import type { Databases } from '../databases.ts'
import { apiPart, type Network, type Part, startNetwork, workerPart } from '../network.ts'
import { type Link, links } from './steps.ts'

/** Nobody has this address's key; payments to it stay in the ledger of test wallets. */
export const PAY_TO = '0x00000000000000000000000000000000000402ff'

/** A network that takes payments, whose parts reach each other through proxies. */
export type PaidNetwork = Network & { links: Readonly<Record<Link, TcpProxy>> }

/**
 * API, worker, settler (the worker on the queue that may leave the network) and facilitator as
 * separate processes. The worker sends refunds itself, which no facilitator over HTTP does.
 */
export async function startPaidNetwork(databases: Databases, name: string): Promise<PaidNetwork> {
  const databaseUrl = await databases.create(name)
  const database = new URL(databaseUrl)
  const [port, facilitatorPort] = [await choosePort(), await choosePort()]
  const target = (link: Link): number => {
    if (link.endsWith('> API')) return port
    return link.endsWith('> facilitator') ? facilitatorPort : Number(database.port)
  }
  const open = async (link: Link) => [link, await openTcpProxy('127.0.0.1', target(link))] as const
  const proxies = Object.fromEntries(await Promise.all(links.map(open))) as PaidNetwork['links']
  const addressOf = (link: Link) => `http://127.0.0.1:${proxies[link].port}`
  const databaseOver = (link: Link) => {
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${proxies[link].port}`
    return { DATABASE_URL: url.href }
  }
  const money = { X402_PAY_TO: PAY_TO, X402_RATES: 'IDR=16400' }
  const atFacilitator = (link: Link) => ({
    ...money,
    X402_FACILITATOR: addressOf(link),
    X402_RPC_URL: addressOf(link),
  })
  const local = { ...money, X402_FACILITATOR: 'local' }
  const parts: Record<string, Part> = {
    facilitator: {
      file: 'tools/proof/payments/facilitator.ts',
      ready: 'the facilitator answers',
      env: { ...local, ...databaseOver('facilitator > database'), PORT: String(facilitatorPort) },
    },
    worker: {
      ...workerPart,
      env: { ...local, ...databaseOver('worker > database'), WORKER_QUEUES: 'bookings,webhooks' },
    },
    settler: {
      ...workerPart,
      env: {
        ...atFacilitator('settler > facilitator'),
        ...databaseOver('settler > database'),
        WORKER_QUEUES: 'venues',
      },
    },
    API: {
      ...apiPart,
      env: {
        ...atFacilitator('API > facilitator'),
        ...databaseOver('API > database'),
        PUBLIC_URL: addressOf('payer > API'),
        // Callers without a key share one address.
        OPEN_REQUESTS_PER_MINUTE: '1000000',
      },
    },
  }
  const closeLinks = () => Promise.all(Object.values(proxies).map((link) => link.close()))
  try {
    const network = await startNetwork(databases, { name, databaseUrl, port, parts })
    return {
      ...network,
      url: addressOf('payer > API'),
      links: proxies,
      async stop() {
        await network.stop()
        await closeLinks()
      },
    }
  } catch (error) {
    await closeLinks()
    throw error
  }
}
