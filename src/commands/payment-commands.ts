import { fundWallet } from '../local/x402/ledger.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { assetText } from '../x402/rules/amount.ts'
import { selectRefundsDue, updateRefunded } from '../x402/store/refunds.ts'
import { exampleId, idFrom } from './ids.ts'
import { defineOperatorCommand } from './operator-program.ts'

const exampleWallet = '0x1111111111111111111111111111111111111111'
const MAX_USDC = 1_000_000

export const fund = defineOperatorCommand({
  words: 'fund',
  summary: 'Give a test wallet USDC on the local ledger (X402_FACILITATOR=local).',
  args: { wallet: { about: 'Its address: 0x and 40 hex digits' } },
  options: { usdc: { kind: 'text', value: 'N', about: 'How much (default 100)' } },
  examples: [`fund ${exampleWallet}`, `fund ${exampleWallet} --usdc 2.5`],
  async run({ args: { wallet }, options: { usdc = '100' }, onDatabase }) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) {
      throw new UsageError('fund takes the address of a wallet: 0x and 40 hex digits.')
    }
    const amount = Number(usdc)
    if (!(amount > 0 && amount <= MAX_USDC)) {
      throw new UsageError(`--usdc takes a number above 0, at most ${MAX_USDC}.`)
    }
    return onDatabase(async (db, { X402_NETWORK: network }) => {
      const micro = BigInt(Math.round(amount * 1e6))
      const balance = await fundWallet(db, { network, address: wallet }, micro)
      return `${wallet} has ${assetText(balance)} on the local ledger.`
    })
  },
})

const MAX_SHOWN = 1_000

export const refunds = defineOperatorCommand({
  words: 'refunds',
  summary: 'List the x402 payments to be refunded, or store the proof of a refund.',
  options: {
    payment: { kind: 'text', value: 'PAYMENT', about: 'Id of the refunded payment' },
    transaction: { kind: 'text', value: 'HASH', about: 'The transaction that refunded it' },
  },
  examples: ['refunds', `refunds --payment ${exampleId} --transaction 0x…`],
  async run({ options: { payment, transaction }, onDatabase, at }) {
    if ((payment === undefined) !== (transaction === undefined)) {
      throw new UsageError('--payment and --transaction go together.')
    }
    if (payment === undefined || transaction === undefined) {
      return onDatabase(async (db) =>
        refundTable(await selectRefundsDue(db, { after: null, limit: MAX_SHOWN })),
      )
    }
    if (!/^0x[0-9a-fA-F]{64}$/.test(transaction)) {
      throw new UsageError('--transaction takes a hash: 0x and 64 hex digits.')
    }
    const id = idFrom(payment, 'refunds')
    const count = await onDatabase((db) => updateRefunded(db, id, transaction, at))
    if (count === 0) throw new Error(`No payment ${id} is to be refunded.`)
    return `The payment ${id} went back in ${transaction}.`
  },
})

function refundTable(due: Awaited<ReturnType<typeof selectRefundsDue>>): string {
  if (due.length === 0) return 'Nothing is to be refunded.'
  const rows = due.map((one) => [
    one.id,
    one.booking_id ?? '',
    one.refund_reason ?? '',
    assetText(one.amount),
    one.payer,
    one.network,
    one.updated_at,
  ])
  return plainTable(['PAYMENT', 'BOOKING', 'REASON', 'AMOUNT', 'TO', 'NETWORK', 'SINCE'], rows)
}
