import { apiKeyPrefixes } from '../../../src/base/ids.ts'
import { defineCommand } from '../command.ts'
import { dayAllowanceOf } from '../events/day-allowance.ts'
import type { Network } from '../network/network.ts'
import { facts } from '../screen/facts.ts'
import { instant } from '../screen/times.ts'

export const whoami = defineCommand({
  words: 'whoami',
  alias: 'status',
  summary: 'Show the network, profile and key in use, and today’s remaining requests.',
  examples: ['whoami', 'status --profile staging --json'],
  async run({ access, network, target }) {
    const { profile } = await target()
    const { url, key } = await access()
    const caller = await askWho(await network())
    const isTest = key.startsWith(apiKeyPrefixes.test)
    const mode = isTest && { mode: 'test' }
    const answer = { url, profile, key: `…${key.slice(-4)}`, ...mode, ...caller }
    const { version, requests } = caller
    return {
      answer,
      text: (screen) =>
        facts(screen, [
          ['network', `${url}, version ${version}`],
          ['profile', profile],
          ['key', `${answer.key}${isTest ? ', of a sandbox' : ''}`],
          [
            'requests left',
            requests &&
              `${requests.remaining} of ${requests.limit}, until ` +
                `${instant(requests.resets_at, screen.zone)}`,
          ],
        ]),
    }
  },
})

async function askWho(network: Network) {
  const { body, headers } = await network.ask<{ version: string }>({ path: '/api/ping' })
  const day = dayAllowanceOf(headers)
  const requests = day && {
    limit: day.limit,
    remaining: day.remaining,
    resets_at: new Date(Date.now() + day.resetSeconds * 1000).toISOString(),
  }
  return { version: body.version, requests: requests ?? null }
}
