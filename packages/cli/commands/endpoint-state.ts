import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { OneEndpoint } from '../answers.ts'
import { type Command, defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Network } from '../network/network.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { outcomeOf } from '../screen/show-delivery.ts'
import { showEndpoint } from '../screen/show-endpoint.ts'
import { askYes } from '../terminal/ask-yes.ts'
import { withProgress } from '../terminal/progress.ts'
import { endpointArgument, endpointPath } from './endpoint-parts.ts'

const WAIT_S = 20
const exampleId = '01a200f6-3ac1-7880-8750-353be6363e4a'

export const verifyEndpoint = defineCommand({
  words: 'webhooks verify',
  summary: 'Prove that the URL is yours.',
  details:
    'Sends a challenge there; a 2xx response with its signature is the proof. If your receiver ' +
    'cannot sign it, let it log the text and pass it here.',
  args: { endpoint: endpointArgument },
  options: {
    challenge: { kind: 'text', value: 'TEXT', about: 'The challenge your receiver got' },
  },
  examples: [`webhooks verify ${exampleId}`],
  async run({ args, options, network, terminal }) {
    const ask = {
      method: 'POST' as const,
      path: endpointPath(args.endpoint, 'verify'),
      body: options.challenge === undefined ? {} : { challenge: options.challenge },
      wait: WAIT_S,
    }
    const place = await network()
    const { body } = await withProgress(terminal, 'Waiting for the receiver', () =>
      place.ask<OneEndpoint>(ask),
    )
    return {
      answer: body,
      text: (screen) => verificationLines(screen, body),
      code: codeOf(body.status),
    }
  },
})

const codeOf = (status = '') =>
  status === 'verified'
    ? exitCodes.done
    : status === 'pending'
      ? exitCodes.pending
      : exitCodes.refused

const verificationLines = ({ paint }: Screen, { status, attempt, next }: OneEndpoint) =>
  [
    paint(
      status === 'verified' ? 'Verified.' : 'Not verified.',
      status === 'verified' ? 'good' : 'bad',
    ),
    ...(attempt ? [`The receiver: ${outcomeOf(attempt)}.`] : []),
    ...(next ? [printable(next)] : []),
  ].join('\n')

/** A command that stops an endpoint. */
const stopCommand = (verb: 'pause' | 'disable', summary: string): Command =>
  defineCommand({
    words: `webhooks ${verb}`,
    summary,
    args: { endpoint: endpointArgument },
    examples: [`webhooks ${verb} ${exampleId}`],
    run: async ({ args, network }) => change(await network(), args.endpoint, verb),
  })

/** A command that restarts an endpoint; held events are sent or discarded. */
const restartCommand = (verb: 'resume' | 'enable', summary: string): Command =>
  defineCommand({
    words: `webhooks ${verb}`,
    summary,
    args: { endpoint: endpointArgument },
    options: { discard: { kind: 'flag', about: 'Discard held events' } },
    examples: [`webhooks ${verb} ${exampleId}`, `webhooks ${verb} ${exampleId} --discard`],
    run: async ({ args, options, network }) =>
      change(await network(), args.endpoint, verb, {
        held: options.discard ? 'discard' : 'release',
      }),
  })

export const pauseEndpoint = stopCommand('pause', 'Pause an endpoint; events are held.')
export const disableEndpoint = stopCommand('disable', 'Disable an endpoint; events are held.')
export const resumeEndpoint = restartCommand(
  'resume',
  'Resume a paused endpoint; held events are sent.',
)
export const enableEndpoint = restartCommand(
  'enable',
  'Enable an endpoint again; held events are sent.',
)

async function change(network: Network, id: string, verb: string, body = {}) {
  const ask = { method: 'POST' as const, path: endpointPath(id, verb), body }
  const { body: answer } = await network.ask<OneEndpoint>(ask)
  const { released, discarded, endpoint, next } = answer
  return {
    answer,
    text: (screen: Screen) =>
      [
        showEndpoint(screen, endpoint),
        ...(released === undefined ? [] : [`${released} held events are due now.`]),
        ...(discarded === undefined ? [] : [`${discarded} held events were discarded.`]),
        ...(next ? [printable(next)] : []),
      ].join('\n'),
  }
}

export const deleteEndpoint = defineCommand({
  words: 'webhooks delete',
  summary: 'Delete an endpoint and its secrets; pending events are discarded.',
  args: { endpoint: endpointArgument },
  options: { yes: { kind: 'flag', about: 'Skip the confirmation' } },
  examples: [`webhooks delete ${exampleId} --yes`],
  async run({ args, options, network, terminal }) {
    const place = await network()
    const path = endpointPath(args.endpoint)
    if (!options.yes) {
      const { endpoint } = (await place.ask<OneEndpoint>({ path })).body
      const answer = await askYes(terminal, `Delete the endpoint ${printable(endpoint.url)}?`)
      if (answer === undefined) throw new UsageError('Without a terminal, deleting needs --yes.')
      if (!answer) return keptAnswer
    }
    const { body } = await place.ask<{ discarded: number }>({ method: 'DELETE', path })
    return {
      answer: body,
      text: () => `Deleted. ${body.discarded} pending events were discarded.`,
    }
  },
})

const keptAnswer = {
  answer: { deleted: false },
  text: () => 'Nothing was deleted.',
  code: exitCodes.refused,
}
