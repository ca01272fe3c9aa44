import type { FastifyInstance } from 'fastify'
import { createKey } from '../../../accounts/operations/create-key.ts'
import { listKeys } from '../../../accounts/operations/read-keys.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { tryForm } from './forms.ts'
import { keysView } from './keys-view.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, ticked } from './query.ts'
import { rawKeyView } from './raw-key-view.ts'

const PATH = '/dashboard/keys'
const section = 'keys'

/** `/dashboard/keys`: the keys of the account, and a form for one more. The raw key is in the answer to that form, and nowhere else. */
export async function keys(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const page = await call(request, listKeys, given(request.query, ['cursor']))
    const view = { title: 'Keys', section, body: keysView(page) } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(PATH, async (request, reply) => {
    const { name = '', until, form } = given(request.body, ['name', 'until', 'form'])
    const scopes = ticked(request.body, 'scopes')
    const made = call(request, createKey, {
      name,
      scopes,
      ...(until && { expires_at: `${until}T00:00:00Z` }),
      ...(form && { idempotency_key: form }),
    })
    const { done, refused } = await tryForm(made, { expires_at: 'valid until' }, ['key_limit'])
    if (refused) {
      const page = await call(request, listKeys, {})
      const body = keysView(page, { name, until, scopes, refused: refused.words })
      const view = { title: 'Keys', section, body } as const
      return sendPage(reply.code(refused.status), dashboardPage(request, view))
    }
    const { key, raw_key } = done
    const body = rawKeyView(key, raw_key, 'made')
    return sendPage(reply, dashboardPage(request, { title: 'Key made', section, body }))
  })
}
