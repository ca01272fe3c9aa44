import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../../src/doors/web/html.ts'

test('text is always escaped', () => {
  const special = fc.constantFrom('<', '>', '"', "'", '&', 'a', ';')
  fc.assert(
    fc.property(fc.string({ unit: special }), (text) => {
      expect(html`${text}`.markup).not.toMatch(/[<>"']/)
    }),
  )
  expect(html`<i>${'<b>&"\''}</i>`.markup).toBe('<i>&lt;b&gt;&amp;&quot;&#39;</i>')
})

test('nested markup is not escaped', () => {
  const items = ['a', '<'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>`.markup).toBe('<ul><li>a</li><li>&lt;</li></ul>')
})
