import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { OnePlan, Usage } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { facts } from '../screen/facts.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant, localDay } from '../screen/times.ts'
import { askYes } from '../terminal/ask-yes.ts'

const PATH = '/api/plan'

export const showPlan = defineCommand({
  words: 'plan show',
  summary: 'Show your plan, and what each plan offers.',
  examples: ['plan show'],
  async run({ network }) {
    const { body } = await (await network()).ask<OnePlan>({ path: PATH })
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

function show(screen: Screen, { plan, offers }: OnePlan): string {
  const head = facts(screen, [
    ['plan', plan.tier, 'strong'],
    ['requests', `${plan.requests_per_day} a day`],
    ['fee', `${plan.fee_pct} % of the estimated spend of each booking`],
    ['upgrade', plan.upgrade_by === 'operator' ? 'only by the operator' : null],
    ['paid until', plan.paid_until && instant(plan.paid_until, screen.zone)],
  ])
  if (!offers) return head
  const choices = table(
    screen,
    [
      { head: 'PLAN', cell: ({ tier }) => tier, whole: true },
      { head: 'A MONTH', cell: (offer) => offer.monthly_price.text, align: 'right', whole: true },
      { head: 'A DAY', cell: (offer) => `${offer.requests_per_day} requests`, align: 'right' },
      { head: 'BOOKS', cell: ({ books }) => (books ? 'yes' : 'no, except in the sandbox') },
    ],
    offers,
  )
  return `${head}\n\n${choices}`
}

export const changePlan = defineCommand({
  words: 'plan change',
  summary: 'Move your account to another plan, for all its keys.',
  details: 'Needs a key with the scope keys. A month of pro is charged once.',
  args: { tier: { about: 'free or pro', choices: ['free', 'pro'] } },
  options: { yes: { kind: 'flag', about: 'Skip the confirmation' } },
  examples: ['plan change pro', 'plan change free --yes'],
  async run({ args, options, network, terminal }) {
    const place = await network()
    if (!options.yes) {
      const answer = await askYes(terminal, `Move the account to ${args.tier}?`)
      if (answer === undefined) throw new UsageError('Without a terminal, changing needs --yes.')
      if (!answer) return notChanged
    }
    const ask = { method: 'POST' as const, path: PATH, body: { tier: args.tier } }
    const { body } = await place.ask<OnePlan>(ask)
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

const notChanged = {
  answer: { changed: false },
  text: () => 'Nothing was changed.',
  code: exitCodes.refused,
}

export const usage = defineCommand({
  words: 'usage',
  summary: 'Show today’s quota, the requests of each day, and a month’s bookings.',
  options: {
    days: { kind: 'number', value: 'N', about: 'Number of days, 30 by default, at most 90' },
    month: { kind: 'text', value: 'YYYY-MM', about: 'Month of the bookings, in UTC' },
  },
  examples: ['usage', 'usage --days 7 --month 2026-11'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Usage>({ path: '/api/usage', query: options })
    return { answer: body, text: (screen) => showUsage(screen, body) }
  },
})

const counted = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

function showUsage(screen: Screen, { today, days, month }: Usage): string {
  const { used, limit, resets_at } = today
  const head = facts(screen, [
    ['today', `${used} of ${limit} requests, until ${instant(resets_at, screen.zone)}`, 'strong'],
    [month.month, counted(month.by_status) || 'no bookings'],
    ['fees', month.fees.map(({ total_text }) => total_text).join(', ')],
  ])
  const busy = days.filter(({ calls }) => calls > 0)
  if (busy.length === 0) return head
  const calls = table(
    screen,
    [
      { head: 'DAY', cell: ({ day }) => localDay(day), whole: true },
      { head: 'REQUESTS', cell: ({ calls }) => `${calls}`, align: 'right', whole: true },
      { head: 'BY CODE', cell: ({ by_code }) => counted(by_code) },
    ],
    busy,
  )
  return `${head}\n\n${calls}`
}
