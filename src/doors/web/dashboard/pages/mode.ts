import { z } from 'zod'
import { switchMode } from '../../../../accounts/operations/switch-mode.ts'
import { parseForm } from '../../forms.ts'
import type { Page } from '../page-kit.ts'
import { developerOf } from './account.ts'

const choice = z.object({ mode: z.enum(['live', 'test'], 'Choose live or test.') })

/** `/dashboard/mode`: switches the session between the live account and its sandbox. */
export const mode: Page = async (scope, { services }) => {
  scope.post('/dashboard/mode', async (request, reply) => {
    const { mode } = parseForm(choice, request)
    await switchMode(services, developerOf(request), mode, new Date())
    return reply.redirect('/dashboard', 303)
  })
}
