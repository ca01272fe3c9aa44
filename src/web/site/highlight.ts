import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import json from 'highlight.js/lib/languages/json'
import plaintext from 'highlight.js/lib/languages/plaintext'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'

for (const [name, language] of Object.entries({ bash, go, json, plaintext, python, typescript }))
  highlighter.registerLanguage(name, language)

const COMMAND = /^(\$ |\w+=|curl |npx |npm |pip |claude |node |venue-network )/m

/** The language of an unlabelled sample: commands and JSON are recognised by how they start. */
const languageOf = (code: string) =>
  /^\s*[{[]/.test(code) ? 'json' : COMMAND.test(code) ? 'bash' : ''

const PUNCTUATION = /<span class="hljs-punctuation">([^<]*)<\/span>/g

/** Code marked up with highlight.js classes, or only escaped if its language is unknown. */
export function highlight(code: string, language = languageOf(code)): string {
  const { value } = highlighter.highlight(code, {
    language: highlighter.getLanguage(language) ? language : 'plaintext',
    ignoreIllegals: true,
  })
  // Keeping this markup and the escaped quotes would double the size of a page of JSON.
  return value.replaceAll(PUNCTUATION, '$1').replaceAll('&quot;', '"')
}
