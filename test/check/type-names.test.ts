import { expect, test } from 'vitest'
import { ambiguousTypes, sharedNames } from '../../tools/check/type-names.ts'

const declaredWith = (text: string) =>
  sharedNames([
    { file: 'one.ts', text: 'export type Member = { id: string }' },
    { file: 'two.ts', text },
  ])

test.each(['export type Member = string', 'export interface Member {}'])(
  'a second `%s` is reported with both files',
  (text) => {
    expect(declaredWith(text)).toEqual(['one.ts, two.ts: each exports Member'])
  },
)

test.each([
  'type Member = string',
  'export type GroupMember = string',
  "export type { Member } from './one.ts'",
  'export const Member = 1',
])('`%s` is not', (text) => {
  expect(declaredWith(text)).toEqual([])
})

test('no two types of the service share a name', () => {
  expect(ambiguousTypes()).toBe('')
})
