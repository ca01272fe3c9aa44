import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { howToRecord } from '../../tools/check/doors.ts'
import { schemaFile, schemaOf } from '../../tools/check/schema.ts'
import { createDatabase } from '../support/database.ts'

test('schema.sql matches the migrations', async () => {
  const { url, drop } = await createDatabase()
  const db = openPool(url, 1, () => {})
  const statements = (text: string) => text.split('\n\n')
  expect(statements(await schemaOf(db)), howToRecord).toEqual(
    statements(readFileSync(schemaFile, 'utf8')),
  )
  await db.end()
  await drop()
})
