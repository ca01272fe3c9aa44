import { z } from 'zod'
import { recordAudit } from '../../contract/audit.ts'
import { named } from '../../contract/named.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { eraseBodiesOf } from '../steps/erase-bodies.ts'
import { selectOptionalRecording, updateRecording } from '../store/call-details.ts'

const output = named('Recording', { bodies: z.boolean().describe('Whether bodies are recorded') })

export const readRecording = defineOperation({
  name: 'read recording',
  summary: 'Read whether bodies are recorded',
  description: 'Returns whether the request log of the account contains bodies.',
  scope: 'usage',
  part: 'requests',
  input: z.strictObject({}),
  output,
  run: async (ctx) => ({
    bodies: (await selectOptionalRecording(ctx.db, accountOf(ctx).id)) ?? false,
  }),
})

export const changeRecording = defineOperation({
  name: 'change recording',
  summary: 'Record bodies or stop',
  description:
    'Turns the recording of bodies in the request log on or off. Turning it off erases ' +
    'recorded bodies; requests are still listed.',
  scope: 'keys',
  part: 'requests',
  audit: 'account.recording_changed',
  input: z.strictObject({ bodies: z.boolean() }),
  output,
  async run(ctx, { bodies }) {
    const { id } = accountOf(ctx)
    await transaction(ctx.db, async (tx) => {
      const isChanged = await updateRecording(tx, id, bodies)
      if (isChanged)
        await recordAudit(tx, ctx, 'account.recording_changed', { details: { bodies } })
    })
    if (!bodies) await eraseBodiesOf(ctx.db, id)
    return { bodies }
  },
})
