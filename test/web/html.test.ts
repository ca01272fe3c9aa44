import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html } from '../../src/web/page/html.ts'

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

describe('a name that is written from right to left', () => {
  const NAME = 'مطعم الياسمين'

  test('stays in its place, alone and within a sentence', () => {
    expect(html`<h1>${NAME}</h1>`.markup).toBe(`<h1><bdi>${NAME}</bdi></h1>`)
    expect(html`<h1>${`2 at ${NAME}, 5 Dec 2026, 14:00`}</h1>`.markup).toBe(
      `<h1>2 at <bdi>${NAME}</bdi>, 5 Dec 2026, 14:00</h1>`,
    )
    expect(html`${['a', NAME]} &`.markup).toBe(`a<bdi>${NAME}</bdi> &`)
  })

  test('is plain text where an element is impossible', () => {
    expect(html`<a title="${NAME}" href="/${NAME}">x</a>`.markup).not.toContain('<bdi>')
    expect(html` ${'value'}="${NAME}"`.markup).toBe(` value="${NAME}"`)
    expect(html`<title>${NAME}, 14:00</title>`.markup).toBe(
      `<title>\u2068${NAME}\u2069, 14:00</title>`,
    )
  })

  test('is escaped, and does not reorder the text around it', () => {
    expect(html`<b>${`${NAME} <i> ${NAME}`}</b>`.markup).toBe(
      `<b><bdi>${NAME}</bdi> &lt;i&gt; <bdi>${NAME}</bdi></b>`,
    )
    expect(html`<b>${'\u202egnp.exe'}</b>`.markup).toBe('<b><bdi>\u202e</bdi>gnp.exe</b>')
  })
})
