import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import * as acts from '../../operators/operations/act-on-account.ts'
import { chargeNow } from '../../operators/operations/payments.ts'
import { readAccount } from '../../operators/operations/read-accounts.ts'
import { askFirst, type Page, redirectDone } from '../dashboard/page.ts'
import { paramsOf, textFields } from '../page/forms.ts'
import { suspendView } from './account-acts.ts'
import { idOf, OPERATORS, reasonedAct, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/accounts/:id`

/** The forms on an account's page. A change and its audit log entry share a transaction. */
export const accountForms: Page = async (scope, { services }) => {
  scope.get(`${PATH}/suspend`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const { account } = await readAccount(services, id, new Date())
    return showOperators(reply, [`Suspend ${account.name}?`, 'Accounts'], suspendView(id))
  })

  const form = (
    verb: string,
    notice: string,
    work: (request: FastifyRequest, act: acts.Reasoned) => Promise<unknown>,
  ) =>
    scope.post(`${PATH}/${verb}`, async (request, reply): Promise<FastifyReply> => {
      const id = idOf(paramsOf(request).id)
      await work(request, reasonedAct(request, id))
      return redirectDone(reply, `${OPERATORS}/accounts/${id}`, notice)
    })

  form('plan', 'plan', ({ body }, act) => {
    const { tier } = textFields(body, ['tier'])
    if (tier !== 'free' && tier !== 'pro') throw refuse('form_incomplete', 'Choose a plan.')
    return acts.setPlan(services, act, tier)
  })
  form('limits', 'limits', ({ body }, act) => {
    const { live, per_venue_day: perDay } = textFields(body, ['live', 'per_venue_day'])
    if (live === undefined && perDay === undefined) return acts.setLimits(services, act, 'usual')
    const limits = { live: limitFrom(live), perVenueDay: limitFrom(perDay) }
    return acts.setLimits(services, act, limits)
  })
  form('quota', 'quota', ({ body }, act) => {
    const { per_day } = textFields(body, ['per_day'])
    const quota = per_day === undefined ? null : limitFrom(per_day)
    if (quota === 0) throw refuse('form_incomplete', 'Suspend the account instead.')
    return acts.setQuota(services, act, quota)
  })
  scope.post(`${PATH}/charge`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const due = idOf(textFields(request.body, ['due_id']).due_id ?? '')
    const act = reasonedAct(request, id)
    const question = {
      title: 'Charge the card?',
      text: 'The account’s card is charged at once for the amount still due.',
      button: 'Charge it',
      back: [`${OPERATORS}/accounts/${id}`, 'Charge nothing'],
    } as const
    if (await askFirst(reply, question, () => readAccount(services, id, new Date()))) return reply
    await chargeNow(services, act, due)
    return redirectDone(reply, `${OPERATORS}/accounts/${id}`, 'charged')
  })
  form('suspend', 'suspended', ({ developer }, act) => {
    if (act.by.account?.id === developer?.account_id) {
      throw refuse('form_incomplete', 'This is your own account.')
    }
    return acts.suspend(services, act)
  })
  form('agent', 'agent', ({ body }, act) => {
    const { agent = '', restore } = textFields(body, ['agent', 'restore'])
    return acts.takeDown(services, act, agent, restore !== undefined)
  })
  form('resume', 'resumed', (_, act) => acts.resume(services, act))
}

/** A limit as typed; `none` removes it. */
function limitFrom(text = ''): number | null {
  if (text === 'none') return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw refuse('form_incomplete', 'Give whole numbers, or none.')
}
