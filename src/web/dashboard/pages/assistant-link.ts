import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCookie } from '../../../doors/guards/session.ts'
import { selectOptionalConnection } from '../../../oauth/store/connections.ts'
import { backNotice } from '../../account/return-address.ts'
import { textFields } from '../../page/forms.ts'
import type { Html } from '../../page/html.ts'
import type { PageDeps } from '../page.ts'
import { developerOf } from './account.ts'

const connectionId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const form = { name: 'venue_assistant', pattern: connectionId, maxAgeSeconds: 3_600 }
/** Not the address of a program on this computer. */
const webHost = /^[\w.-]+\.[a-z]{2,}(:\d+)?$/

/**
 * The way back to the assistant whose `plan_url` a person followed, also by way of the payment
 * provider's page. The address names a connection of this person, whose host they allowed, so that
 * it leads nowhere else.
 */
export function createAssistantLinks({ services, publicUrl }: PageDeps) {
  const cookie = createCookie(publicUrl, form)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    canBook: boolean,
  ): Promise<Html | undefined> => {
    const { assistant: sent = '' } = textFields(request.query, ['assistant'])
    const id = connectionId.test(sent) ? sent : cookie.read(request)
    const { id: memberId, account_id: accountId } = developerOf(request)
    const own = id && (await selectOptionalConnection(services.db, { accountId, memberId }, id))
    if (!own) return undefined
    if (id === sent) cookie.write(reply, id)
    const { name, host } = own.client
    return backNotice(webHost.test(host) ? `https://${host}` : undefined, name, canBook)
  }
}
