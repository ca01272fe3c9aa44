import { randomUUID } from 'node:crypto'
import { scopes } from '../../../src/base/scopes.ts'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { ApiKey, Keys, OneKey } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { sendSafely } from '../network/send-safely.ts'
import { facts } from '../screen/facts.ts'
import { moreOf } from '../screen/more.ts'
import { toneOf } from '../screen/paint.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant } from '../screen/times.ts'
import { askYes } from '../terminal/ask-yes.ts'
import { paged } from './paged.ts'

const PATH = '/api/keys'
const exampleId = '01a20196-3c1f-7f5a-9a55-0f6a1a0c7a11'
const keyArgument = { about: 'Id of a key, from keys list; not the key itself' }
const pathOf = (id: string, verb = '') => `${PATH}/${encodeURIComponent(id)}${verb}`

export const listKeys = defineCommand({
  words: 'keys list',
  summary: 'List the keys of your account, newest first.',
  details: 'Commands about keys need a key with the scope keys.',
  options: paged,
  examples: ['keys list'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Keys>({ path: PATH, query: options })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { keys, next_cursor }: Keys) =>
  [rows(screen, keys), ...moreOf(screen, next_cursor)].join('\n')

const rows = (screen: Screen, keys: readonly ApiKey[]) =>
  table(
    screen,
    [
      { head: 'KEY', cell: ({ id }) => id, whole: true },
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'MODE', cell: ({ mode }) => mode, whole: true },
      { head: 'ENDS IN', cell: ({ ends_in }) => ends_in, whole: true },
      {
        head: 'STATUS',
        cell: ({ status }) => status,
        tone: ({ status }) => toneOf(status),
        whole: true,
      },
      { head: 'SCOPES', cell: ({ scopes }) => scopes.join(' '), dispensable: 2 },
      {
        head: 'LAST USED',
        cell: ({ last_used }) => (last_used ? instant(last_used.at, screen.zone) : ''),
        dispensable: 1,
      },
    ],
    keys,
  )

const show = (screen: Screen, { raw_key, key, previous }: OneKey): string => {
  const at = (text: string | null) => (text === null ? null : instant(text, screen.zone))
  const shown = facts(screen, [
    ['key', key.id],
    ['name', key.name],
    ['mode', key.mode],
    ['status', key.status, toneOf(key.status)],
    ['scopes', key.scopes.join(', ') || 'reading only'],
    ['allowed from', key.allowed_ips.join(', ')],
    ['expires', at(key.expires_at)],
    ['replaces', previous && `…${previous.ends_in}, valid until ${at(previous.expires_at)}`],
  ])
  return raw_key === undefined
    ? shown
    : [shown, '', 'API key, shown only once:', screen.paint(printable(raw_key), 'strong')].join(
        '\n',
      )
}

export const createKey = defineCommand({
  words: 'keys create',
  summary: 'Create an API key.',
  details: 'Prints the key once. It gets the scopes of your own key, except keys.',
  options: {
    name: { kind: 'text', value: 'NAME', about: 'For yourself: where it is used', required: true },
    test: { kind: 'flag', about: 'For the sandbox, where nobody is contacted' },
    scopes: {
      kind: 'list',
      value: 'SCOPES',
      about: 'Only these; --scopes= for reading only',
      choices: scopes,
      mayBeEmpty: true,
    },
    'allowed-ips': { kind: 'list', value: 'IPS', about: 'Only from these addresses or networks' },
    expires: { kind: 'text', value: 'INSTANT', about: 'When it expires, in UTC' },
  },
  examples: ['keys create --name laptop --test', 'keys create --name reports --scopes usage'],
  async run({ options, network, terminal }) {
    const { name, test, scopes, 'allowed-ips': allowed_ips, expires } = options
    const body = { name, mode: test && 'test', scopes, allowed_ips, expires_at: expires }
    const ask = { method: 'POST' as const, path: PATH, body, idempotencyKey: randomUUID() }
    const { body: answer } = await sendSafely<OneKey>(await network(), ask, terminal.say)
    return { answer, text: (screen) => show(screen, answer) }
  },
})

export const rollKey = defineCommand({
  words: 'keys roll',
  summary: 'Replace a key; the old one stays valid for some hours.',
  details: 'Prints the new key once.',
  args: { key: keyArgument },
  options: {
    'overlap-hours': {
      kind: 'number',
      value: 'HOURS',
      about: 'How long the old key stays valid, 24 by default; 0 ends it at once',
    },
  },
  examples: [`keys roll ${exampleId}`, `keys roll ${exampleId} --overlap-hours 0`],
  async run({ args, options, network, terminal }) {
    const body = { overlap_hours: options['overlap-hours'] }
    const path = pathOf(args.key, '/roll')
    const ask = { method: 'POST' as const, path, body, idempotencyKey: randomUUID() }
    const { body: answer } = await sendSafely<OneKey>(await network(), ask, terminal.say)
    return { answer, text: (screen) => show(screen, answer) }
  },
})

export const revokeKey = defineCommand({
  words: 'keys revoke',
  summary: 'Revoke a key at once, with every key that it created.',
  args: { key: keyArgument },
  options: { yes: { kind: 'flag', about: 'Skip the confirmation' } },
  examples: [`keys revoke ${exampleId} --yes`],
  async run({ args, options, network, terminal }) {
    const place = await network()
    if (!options.yes) {
      const { key } = (await place.ask<OneKey>({ path: pathOf(args.key) })).body
      const answer = await askYes(terminal, `Revoke the key ${printable(key.name)}?`)
      if (answer === undefined) throw new UsageError('Without a terminal, revoking needs --yes.')
      if (!answer) return notRevoked
    }
    const ask = { method: 'POST' as const, path: pathOf(args.key, '/revoke'), body: {} }
    const { body } = await place.ask<OneKey>(ask)
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

const notRevoked = {
  answer: { revoked: false },
  text: () => 'Nothing was revoked.',
  code: exitCodes.refused,
}
