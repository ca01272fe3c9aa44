import { expect, test } from 'vitest'
import { keyProgram } from '../../src/commands/key-commands.ts'
import { read, runTyped } from '../support/operator.ts'

const id = '0197a1f0-0000-7000-8000-000000000000'

test.each([
  ['create --tier pro --name demo', 'create', {}, { name: 'demo', tier: 'pro' }],
  [`create --account ${id} --name second`, 'create', {}, { name: 'second', account: id }],
  [
    'create --tier pro --name demo --scopes usage,keys,keys',
    'create',
    {},
    { name: 'demo', tier: 'pro', scopes: ['usage', 'keys', 'keys'] },
  ],
  [
    'create --tier pro --name demo --scopes=',
    'create',
    {},
    { name: 'demo', tier: 'pro', scopes: [] },
  ],
  ['list', 'list', {}, {}],
  [`revoke ${id}`, 'revoke', { key: id }, {}],
  [`tier ${id} free`, 'tier', { account: id, tier: 'free' }, {}],
  ['operator a@b.example --revoke', 'operator', { email: 'a@b.example' }, { revoke: true }],
])('`%s` is understood', async (line, words, args, options) => {
  const understood = read(keyProgram, line.split(' '))
  expect(understood).toMatchObject({ command: { words }, args, options })
  await expect(runTyped(keyProgram, line.split(' '))).rejects.toThrow('looked for the database')
})

test.each([
  ['', 'Usage:'],
  ['make', 'There is no command "make".'],
  ['create --tier gold --name x', '--tier is one of free, pro.'],
  ['create --name x', 'create needs --tier'],
  ['create --tier pro', 'create needs --name NAME.'],
  [`create --tier pro --name ${'x'.repeat(101)}`, '--name takes 1 to 100 characters.'],
  [`create --tier pro --account ${id} --name x`, 'leave --tier out'],
  ['create --account demo --name x', '--account takes an id'],
  ['create --tier pro --name my name', 'create takes no "name".'],
  ['create --teir pro --name x', 'There is no option --teir. Did you mean --tier?'],
  ['create --tier pro --name x --scopes all', '--scopes is one of bookings, keys, webhooks'],
  ['revoke', 'revoke needs KEY.'],
  ['revoke service_live_abc', 'revoke takes an id'],
  [`tier ${id} gold`, 'TIER is one of free, pro.'],
  ['list --revoke', 'There is no option --revoke.'],
])('`%s` is refused with the reason, before any database is accessed', async (line, message) => {
  const typed = line.split(' ').filter(Boolean)
  await expect(runTyped(keyProgram, typed)).rejects.toThrow(message)
})
