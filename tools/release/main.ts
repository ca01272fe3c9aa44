import { resolve } from 'node:path'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { git } from '../check/last-release.ts'
import { checklist } from './checklist.ts'
import { tagRelease } from './tag.ts'
import { walk } from './walk.ts'

const root = resolve(import.meta.dirname, '../..')

const release = defineTool({
  words: '',
  summary: 'Walk the checklist of a release: each line is ok, or says what to do.',
  details: 'The packed command line and the bill of materials are written to artifacts/release.',
  options: {
    check: { kind: 'flag', about: 'Only check; the default' },
    tag: { kind: 'flag', about: 'If all is ok, make the annotated tag; nothing is pushed' },
  },
  examples: ['--check', '--tag'],
  async run({ options: { check, tag } }) {
    const commit = git(root, 'rev-parse', 'HEAD')
    const open = await walk(checklist(root), console.log)
    console.log(
      'Not checked here: `.ci/run --nightly`, the proof and the containers at this commit; see CI.',
    )
    if (open > 0) throw new Error(`${open} to do. Nothing was tagged.`)
    return tag && !check ? tagRelease(root, commit) : undefined
  },
})

await runProgram(
  { name: 'npm run release --', about: release.summary, commands: [release], options: helpOption },
  {},
)
