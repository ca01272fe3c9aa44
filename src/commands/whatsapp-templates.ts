import { languages } from '../base/languages.ts'
import { publicUrlOf, readConfig } from '../config/config.ts'
import { templatesIn } from '../notices/rules/whatsapp-templates.ts'
import { defineOperatorCommand } from './operator-program.ts'

export const templates = defineOperatorCommand({
  words: 'templates',
  summary: 'Write the templates of WhatsApp messages that Meta must approve, as JSON.',
  details:
    'The links in them begin with PUBLIC_URL. How they are submitted: docs/operate/whatsapp.md.',
  options: {
    language: { kind: 'text', value: 'CODE', about: 'Only this language', choices: languages },
  },
  examples: ['templates', 'templates --language id'],
  async run({ options }) {
    const publicUrl = publicUrlOf(readConfig())
    const chosen = languages.filter((one) => one === (options.language ?? one))
    return JSON.stringify(
      chosen.flatMap((language) => templatesIn(language, publicUrl)),
      null,
      2,
    )
  },
})
