import { randomUUID } from 'node:crypto'
import type { OneEndpoint } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { sendSafely } from '../network/send-safely.ts'
import { showEndpoint } from '../screen/show-endpoint.ts'
import { endpointArgument, endpointPath, secretLines } from './endpoint-parts.ts'

const exampleId = '01a200f6-3ac1-7880-8750-353be6363e4a'

const overlap = {
  kind: 'number',
  value: 'HOURS',
  about: 'How long the old secret keeps signing alongside the new one, 24 by default',
} as const

export const rotateSecret = defineCommand({
  words: 'webhooks rotate',
  summary: 'Rotate the signing secret without downtime.',
  details:
    'Prints the new secret once. It signs at once, alongside the old one. With --staged it ' +
    'signs nothing until webhooks activate verifies that your receiver accepts it.',
  args: { endpoint: endpointArgument },
  options: {
    'overlap-hours': overlap,
    staged: { kind: 'flag', about: 'Do not sign with it yet' },
  },
  examples: [`webhooks rotate ${exampleId}`, `webhooks rotate ${exampleId} --overlap-hours 48`],
  async run({ args, options, network, terminal }) {
    const { 'overlap-hours': hours, staged } = options
    const body = { ...(hours !== undefined && { overlap_hours: hours }), ...(staged && { staged }) }
    const ask = {
      method: 'POST' as const,
      path: endpointPath(args.endpoint, 'rotate'),
      body,
      idempotencyKey: randomUUID(),
    }
    const { body: answer } = await sendSafely<OneEndpoint>(await network(), ask, terminal.say)
    return {
      answer,
      text: (screen) =>
        [
          showEndpoint(screen, answer.endpoint),
          ...secretLines(screen, answer),
          ...(staged
            ? [
                `Add it to your receiver alongside the old one, then: ${screen.program} ` +
                  `webhooks activate ${args.endpoint}`,
              ]
            : []),
        ].join('\n'),
    }
  },
})

export const activateSecret = defineCommand({
  words: 'webhooks activate',
  summary: 'Activate the staged secret once your receiver accepts it.',
  args: { endpoint: endpointArgument },
  options: {
    'overlap-hours': overlap,
    force: { kind: 'flag', about: 'Even if your receiver has not accepted it' },
  },
  examples: [`webhooks activate ${exampleId}`],
  async run({ args, options, network }) {
    const { 'overlap-hours': overlap_hours, force } = options
    const { body } = await (await network()).ask<OneEndpoint>({
      method: 'POST',
      path: endpointPath(args.endpoint, 'activate'),
      body: { overlap_hours, force },
      wait: 20,
    })
    return { answer: body, text: (screen) => `Activated.\n${showEndpoint(screen, body.endpoint)}` }
  },
})
