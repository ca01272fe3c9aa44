import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EventType, eventTypes } from '../../../webhooks/rules/event-types.ts'

const FILE = 'docs/protocols/webhook-events.md'
const page = readFileSync(join(import.meta.dirname, '../../../..', FILE), 'utf8')

/** When each type of event is written and an example body, from the docs. A test compares them. */
export const eventDocs: ReadonlyMap<EventType, { when: string; example: string }> = new Map(
  eventTypes.map((type) => [type, { when: whenOf(type), example: exampleOf(type) }]),
)

function whenOf(type: EventType): string {
  const line = page.split('\n').find((one) => one.startsWith(`| [\`${type}\`](`))
  if (!line) throw new Error(`${FILE} does not say when ${type} is written`)
  return (line.split('|')[2] ?? '').trim().replaceAll('`', '')
}

function exampleOf(type: EventType): string {
  const [, after = ''] = page.split(`\n## ${type}\n\`\`\`json\n`)
  const [text = ''] = after.split('\n```')
  return JSON.stringify(JSON.parse(text), null, 2)
}
