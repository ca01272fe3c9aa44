import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import tones from '../../src/web/dashboard/status-tones.json' with { type: 'json' }

const parts = resolve(import.meta.dirname, '../../src/web/styles/base/3-parts.css')

test('the tone of every status is one that the styles show', () => {
  const shown = [...readFileSync(parts, 'utf8').matchAll(/^\.badge\.(\w+)/gm)].map(
    ([, tone]) => tone,
  )
  expect(shown).toContain('good')
  expect([...shown, 'quiet']).toEqual(expect.arrayContaining(Object.values(tones)))
})
