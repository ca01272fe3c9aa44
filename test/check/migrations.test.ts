import { expect, test } from 'vitest'
import { lockingConstraints, lockingMigrations } from '../../tools/check/migrations.ts'

const adds = (clause: string) => `alter table booking\n  add constraint positive ${clause};`
const CHECK = 'check (party_size > 0)'

test.each([
  ['a constraint that is checked while its table is locked', adds(CHECK), ['add positive']],
  ['a foreign key too', adds('foreign key (a) references b'), ['add positive']],
  [
    'beside one that is not valid',
    adds(`${CHECK} not valid, add constraint small check (true)`),
    ['add small'],
  ],
  [
    'a validation in the same transaction',
    `${adds(`${CHECK} not valid`)} alter table booking validate constraint positive;`,
    ['validate positive'],
  ],
])('%s is reported', (_, sql, problems) => {
  expect(lockingConstraints(sql)).toEqual(problems.map((one) => expect.stringContaining(one)))
})

test.each([
  ['a constraint that is not valid', adds(`${CHECK} NOT VALID`)],
  ['its validation', 'alter table booking validate constraint positive;'],
  ['a constraint of a new table', `create table booking (id uuid); ${adds(CHECK)}`],
  ['a unique constraint by an index', adds('unique using index booking_one')],
  ['a comment', `-- ${adds(CHECK)}`.replaceAll('\n', ' ')],
])('%s is not', (_, sql) => {
  expect(lockingConstraints(sql)).toEqual([])
})

test('no migration locks everybody out', () => {
  expect(lockingMigrations()).toBe('')
})
