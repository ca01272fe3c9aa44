import type { Db } from '../../platform/database/sql.ts'
import type { Facilitator, PaymentPayload } from '../../x402/rules/facilitator.ts'
import { isRefusal, usageBy } from '../../x402/rules/settlement.ts'
import type { X402Terms } from '../../x402/rules/terms.ts'
import { insertTransfer, selectTransferOf } from './ledger.ts'
import { createLocalSigner } from './signer.ts'

/**
 * The official facilitator on a ledger in PostgreSQL instead of a blockchain: signatures are really
 * verified, but no money moves. The packages take 38 MB, so they are loaded at the first payment.
 */
export function createLocalFacilitator(db: Db, terms: X402Terms): Facilitator {
  let opened: ReturnType<typeof openOfficial> | undefined
  const official = () => {
    opened ??= openOfficial(db, terms)
    return opened
  }
  return {
    async verify(payment) {
      const { isValid, invalidReason } = await (await official()).verify(payment, payment.accepted)
      return isValid ? undefined : (invalidReason ?? 'invalid_payment')
    },
    async settle(payment) {
      try {
        const answer = await (await official()).settle(payment, payment.accepted)
        const { success, transaction, errorReason: reason = 'unexpected_settle_error' } = answer
        if (success) return { result: 'success', transaction }
        return { result: isRefusal(reason) ? 'refused' : 'none', reason }
      } catch (error) {
        return { result: 'none', reason: String(error) }
      }
    },
    async lookUp(payment) {
      const transfer = await selectTransferOf(db, authorizationOf(payment))
      return transfer ? usageBy(transfer, payment.accepted) : { used: false }
    },
    async refund({ id, network, to, amount }) {
      const { keccak256, toHex } = await import('viem')
      const nonce = keccak256(toHex(`refund ${id}`))
      const hash = keccak256(toHex(`${network} ${terms.payTo} ${nonce}`))
      const move = { hash, network, sender: terms.payTo, recipient: to, amount, nonce }
      await insertTransfer(db, { ...move, at: new Date() })
      return hash
    },
  }
}

const authorizationOf = ({ accepted, payload }: PaymentPayload) => ({
  network: accepted.network,
  sender: payload.authorization.from,
  nonce: payload.authorization.nonce,
})

async function openOfficial(db: Db, terms: X402Terms) {
  const [{ x402Facilitator }, { registerExactEvmScheme }, signer] = await Promise.all([
    import('@x402/core/facilitator'),
    import('@x402/evm/exact/facilitator'),
    createLocalSigner(db, terms),
  ])
  const facilitator = new x402Facilitator()
  registerExactEvmScheme(facilitator, { signer, networks: terms.network })
  return facilitator
}
