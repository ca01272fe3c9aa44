import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EventType, eventTypes } from '../../../webhooks/rules/event-types.ts'

/** When an event is written, in words, and what its body looks like. */
export type EventDoc = { when: string; example: string }

const page = readFileSync(
  join(import.meta.dirname, '../../../../docs/protocols/webhook-events.md'),
  'utf8',
)

/** What docs/protocols/webhook-events.md says of each type; the page has them all, and a test holds it to that. */
export const eventDocs: ReadonlyMap<EventType, EventDoc> = new Map(
  eventTypes.map((type) => [type, { when: whenOf(type), example: exampleOf(type) }]),
)

function whenOf(type: EventType): string {
  const line = page.split('\n').find((one) => one.startsWith(`| [\`${type}\`](`))
  if (!line)
    throw new Error(`docs/protocols/webhook-events.md does not say when ${type} is written`)
  return (line.split('|')[2] ?? '').trim().replaceAll('`', '')
}

function exampleOf(type: EventType): string {
  const [, after = ''] = page.split(`\n## ${type}\n\`\`\`json\n`)
  const [text = ''] = after.split('\n```')
  return JSON.stringify(JSON.parse(text), null, 2)
}
