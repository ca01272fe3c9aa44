import { z } from 'zod'
import { NETWORK_VERSION } from '../../base/ids.ts'
import { defineOperation } from '../../contract/operation.ts'

export const ping = defineOperation({
  name: 'ping',
  summary: 'Check the connection and the key',
  description: 'Returns `ok` and the network version if the key is valid.',
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('ok'),
    version: z.string().describe('Network version, three numbers'),
  }),
  async run() {
    return { status: 'ok' as const, version: NETWORK_VERSION }
  },
})
