import { expect, test } from 'vitest'
import { parseKeyCommand } from '../../src/commands/key-command.ts'

const usual = ['webhooks', 'agents', 'usage']
const id = '0197a1f0-0000-7000-8000-000000000000'

test.each([
  ['create --tier pro --name demo', { verb: 'create', name: 'demo', tier: 'pro', scopes: usual }],
  [
    `create --account ${id} --name second`,
    { verb: 'add', name: 'second', accountId: id, scopes: usual },
  ],
  [
    'create --tier pro --name demo --scopes usage,keys,keys',
    { verb: 'create', name: 'demo', tier: 'pro', scopes: ['keys', 'usage'] },
  ],
  [
    'create --tier pro --name demo --scopes=',
    { verb: 'create', name: 'demo', tier: 'pro', scopes: [] },
  ],
  ['list', { verb: 'list' }],
  [`revoke ${id}`, { verb: 'revoke', keyId: id }],
  [`tier ${id} free`, { verb: 'tier', accountId: id, tier: 'free' }],
])('`%s` is understood', (line, command) => {
  expect(parseKeyCommand(line.split(' '))).toEqual(command)
})

test.each([
  ['', 'Which command?'],
  ['make', 'There is no command make.'],
  ['create --tier gold --name x', '--tier must be free or pro, not gold.'],
  ['create --name x', '--tier must be free or pro.'],
  ['create --tier pro', '--name needs 1 to 100 characters.'],
  [`create --tier pro --name ${'x'.repeat(101)}`, '--name needs 1 to 100 characters.'],
  [`create --tier pro --account ${id} --name x`, 'leave --tier out'],
  ['create --account demo --name x', '--account needs the id of an account'],
  ['create --tier pro --name my name', 'Too much was said: name'],
  ['create --teir pro --name x', '--teir'],
  ['create --tier pro --name x --scopes all', '--scopes takes some of keys,webhooks'],
  ['revoke', 'revoke needs the id of a key'],
  ['revoke service_live_abc', 'revoke needs the id of a key'],
  [`tier ${id} gold`, 'tier must be free or pro, not gold.'],
])('`%s` is refused with what is wrong', (line, message) => {
  expect(() => parseKeyCommand(line.split(' ').filter(Boolean))).toThrow(message)
})
