import type { FacilitatorEvmSigner } from '@x402/evm'
import type { Db } from '../../platform/database/sql.ts'
import type { X402Terms } from '../../x402/rules/terms.ts'
import { insertTransfer, selectBalance, selectTransfer, selectTransferOf } from './ledger.ts'

type Hex = `0x${string}`
type Transfer = { from: Hex; to: Hex; value: bigint; nonce: Hex }

const callable = [
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function authorizationState(address, bytes32) view returns (bool)',
] as const
const event = 'event Transfer(address indexed from, address indexed to, uint256 value)'

/** Answers the facilitator's queries to a blockchain from the ledger of test wallets. */
export async function createLocalSigner(
  db: Db,
  { network, asset, payTo }: X402Terms,
): Promise<FacilitatorEvmSigner> {
  const viem = await import('viem')
  const abi = viem.parseAbi(callable)
  const events = viem.parseAbi([event])
  const token = asset.address as Hex

  const balanceOf = (address: string) => selectBalance(db, { network, address })
  const isUsed = async (sender: string, nonce: string) =>
    (await selectTransferOf(db, { network, sender, nonce })) !== undefined

  /** Throws the token contract's error for a transfer, whose words the facilitator recognises. */
  async function check({ from, value, nonce }: Transfer) {
    if (await isUsed(from, nonce)) throw new Error('AuthorizationAlreadyUsed')
    if ((await balanceOf(from)) < value) throw new Error('ERC20InsufficientBalance')
  }

  const read = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    if (name === 'balanceOf') return balanceOf(args[0] as string)
    if (name === 'name') return asset.name
    if (name === 'version') return asset.version
    if (name === 'authorizationState') return isUsed(args[0] as string, args[1] as string)
    if (name === 'transferWithAuthorization') return check(transferOf(args))
    if (name === 'tryAggregate') return Promise.all((args[1] as Call[]).map(answer))
    throw new Error(`the local ledger has no ${name}`)
  }

  type Call = { callData: Hex }
  const answer = async ({ callData: data }: Call) => {
    const { functionName, args = [] } = viem.decodeFunctionData({ abi, data })
    const result = (await read(functionName, args)) as never
    return { success: true, returnData: viem.encodeFunctionResult({ abi, functionName, result }) }
  }

  return {
    getAddresses: () => [payTo as Hex],
    getCode: async ({ address }) =>
      address.toLowerCase() === token.toLowerCase() ? '0x60' : undefined,
    readContract: ({ functionName, args = [] }) => read(functionName, args),
    verifyTypedData: (data) => viem.verifyTypedData(data as never),
    sendTransaction: async () => {
      throw new Error('the local ledger deploys no wallets')
    },
    async writeContract({ args }) {
      const transfer = transferOf(args)
      await check(transfer)
      const { from, to, value, nonce } = transfer
      const hash = viem.keccak256(viem.toHex(`${network} ${from} ${nonce}`))
      const move = { hash, network, sender: from, recipient: to, amount: value, nonce }
      if (await insertTransfer(db, { ...move, at: new Date() })) return hash
      throw new Error('AuthorizationAlreadyUsed')
    },
    async waitForTransactionReceipt({ hash }) {
      const transfer = await selectTransfer(db, hash)
      if (!transfer) throw new Error(`there is no transfer ${hash}`)
      const args = { from: transfer.sender as Hex, to: transfer.recipient as Hex }
      const topics = viem.encodeEventTopics({ abi: events, eventName: 'Transfer', args })
      const data = viem.encodeAbiParameters([{ type: 'uint256' }], [transfer.amount])
      return { status: 'success', logs: [{ address: token, topics, data } as never] }
    },
  }
}

const transferOf = ([from, to, value, , , nonce]: readonly unknown[]): Transfer => ({
  from: from as Hex,
  to: to as Hex,
  value: value as bigint,
  nonce: nonce as Hex,
})
