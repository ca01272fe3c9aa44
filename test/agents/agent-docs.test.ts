import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { agents } from '../../src/agents/room.ts'
import { isReservedName } from '../../src/agents/rules/agents.ts'
import { activityTypes } from '../../src/agents/rules/feed.ts'
import { agentCard } from '../../src/agents/schema/agents.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(`${root}/docs/guides/agents-and-feed.md`, 'utf8')

test('the page names every operation on agents and every type of the feed', () => {
  for (const { a2a, rest } of agents.capabilities) {
    if (!a2a.startsWith('agent.')) continue
    const [method = '', path = ''] = rest.route.split(' ')
    expect(page).toMatch(
      new RegExp(`^${method} +${path.replaceAll(/[{}]/g, '\\$&')} .*${a2a}$`, 'm'),
    )
  }
  for (const type of activityTypes) expect(page).toContain(`| \`${type}\` |`)
})

test('the documented card is valid', () => {
  const [, json = ''] = /## The Agent Card[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? []
  expect(agentCard.parse(JSON.parse(json))).toMatchObject({ name: 'concierge-bali' })
})

test.each([
  'README.md',
  'src/local/ready-text.ts',
  'src/web/dashboard/pages/quickstart-samples.json',
])('nobody can register the sender of the examples in %s', (file) => {
  const senders = [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/agent:\/\/([\w.-]+)/g)]
  expect(senders.length).toBeGreaterThan(0)
  for (const [, name = ''] of senders) expect([name, isReservedName(name)]).toEqual([name, true])
})
