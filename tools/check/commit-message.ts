import { readFileSync } from 'node:fs'

const MAX_SUBJECT = 72
/** First words of subjects that Git itself writes. */
const WRITTEN_BY_GIT = /^(?:Merge|Revert|fixup!|squash!|amend!) /
const FORM = /^[a-z0-9][a-z0-9-]*(?:, [a-z0-9][a-z0-9-]*)*: (\S+)/
/** Endings of descriptive verbs: `adds`, `added`, `adding`. */
const DESCRIBES = /(?:[^aius]s|ed|ing)$/
/** Imperatives with such endings. */
const IMPERATIVES = new Set(
  'bring embed exceed feed need ping proceed ring seed shed speed string succeed'.split(' '),
)

/** What is wrong with a commit message's subject, if anything. */
export function subjectProblem(message: string): string | undefined {
  const subject = message.split('\n').find((line) => line.trim() && !line.startsWith('#')) ?? ''
  if (WRITTEN_BY_GIT.test(subject)) return
  const [, verb] = FORM.exec(subject) ?? []
  if (!verb) return 'Begin with an area in lower case: `bookings: keep a hold while it is paid`.'
  if (subject.length > MAX_SUBJECT) return `Use at most ${MAX_SUBJECT} characters.`
  if (subject.endsWith('.')) return 'End without a period.'
  if (DESCRIBES.test(verb) && !IMPERATIVES.has(verb)) return `Use the imperative, not "${verb}".`
  return
}

if (import.meta.main) {
  const problem = subjectProblem(readFileSync(process.argv[2] ?? '', 'utf8'))
  if (problem) {
    console.error(`The first line of the message is not as CONTRIBUTING.md asks. ${problem}`)
    process.exitCode = 1
  }
}
