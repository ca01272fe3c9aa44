import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import { catalogue } from '../../src/network.ts'
import type { RecordedAnswers } from '../../src/web/docs/reference-operations.ts'
import { makeKey } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { openReceiver, proving, type Receiver } from '../support/receiver.ts'
import { recordedAt, shapeOf } from '../support/recorded.ts'
import {
  accountStory,
  agentStory,
  bookingStory,
  itineraryStory,
  offerStory,
  type Story,
  waitlistStory,
  webhookStory,
} from '../support/reference-story.ts'
import { staffAllDay } from '../support/venue-people.ts'

const FILE = new URL('../../src/web/docs/recorded-answers.json', import.meta.url)
const outputs = new Map(catalogue.map(({ a2a, operation }) => [a2a, operation.output]))

let service: Service
let receiver: Receiver
let secret = ''
beforeAll(async () => {
  service = await openService()
  receiver = await openReceiver(proving(() => secret))
  await staffAllDay(service.db, 'gym')
})
afterAll(async () => {
  await service?.close()
  await receiver?.close()
})

type Told = Record<string, { input: Record<string, unknown>; answer: any }>

/** Calls each intent once, and keeps input and answer as pages show them. */
async function openStory(told: Told): Promise<Story> {
  const agent = await makeKey(service.db, 'pro', scopes)
  const call = async (intent: string, input: Record<string, unknown>) => {
    const message = { protocol: 'service/a2a/v1', from: 'agent://my-agent', intent, payload: input }
    const { body } = await postEnvelope(service.url, agent.key, message)
    expect([intent, body.error]).toEqual([intent, undefined])
    return body.payload
  }
  const tell = async (intent: string, input: Record<string, unknown>) => {
    const payload = await call(intent, input)
    const text = JSON.stringify({ input, answer: payload })
    told[intent] = JSON.parse(
      text
        .replaceAll(service.url, '$URL')
        .replaceAll(receiver.url, 'https://agent.example/hooks')
        .replaceAll(/(service_live_|whsec_|\/guest\/)[\w+/=-]{9,}/g, '$1…')
        .replaceAll(agent.accountId, '0197a1f0-0000-7000-8000-000000000000'),
    )
    return payload
  }
  return { tell, call, accountId: agent.accountId }
}

test('the answers in the reference are those of the service, for one story', async () => {
  const told: Told = {}
  const story = await openStory(told)
  await bookingStory(story)
  await agentStory(story)
  await itineraryStory(story)
  await waitlistStory(story, service)
  await offerStory(story, service)
  await webhookStory(story, receiver, (one) => {
    secret = one
  })
  await accountStory(story)

  const recorded: RecordedAnswers = recordedAt(FILE, told)
  expect(shapeOf(told)).toEqual(shapeOf(recorded))
  for (const [intent, { answer }] of Object.entries(recorded)) {
    const parsed = outputs.get(intent)?.safeParse(JSON.parse(withUrl(answer, service.url)))
    expect([intent, parsed?.error]).toEqual([intent, undefined])
  }
})

const withUrl = (answer: unknown, url: string) => JSON.stringify(answer).replaceAll('$URL', url)
