import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import { choosePort } from '../../src/local/ports.ts'
import { makeKey } from '../support/agent.ts'
import { eventually } from '../support/programs.ts'
import { openTestAgent } from '../support/sandbox.ts'
import { test } from '../support/service.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'guide-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const BLOCK = /^```(bash|typescript|python)\n(.*?)^```$/gms
/** These need packages, or a network that collects payments. */
const skipped = /npm |x402|openapi-fetch|api\/payments/
/** In this order, webhooks come before their deliveries. */
const pages = globSync('docs/{guides,protocols}/*.md', { cwd: root })
  .toSorted()
  .reverse()
  .map((path) => ({ path, blocks: blocksOf(path) }))
  .filter(({ blocks }) => blocks.length > 0)

function blocksOf(path: string) {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(BLOCK)]
    .map(([, language = '', code = '']) => ({ language, code }))
    .filter(({ code }) => !skipped.test(code))
}

/** The ids and secrets that a reader copies from earlier answers. */
const copied: Record<string, RegExp> = {
  TEST_KEY: /"raw_key":"(service_test_[^"]+)"/g,
  RAW_KEY: /"raw_key":"([^"]+)"/g,
  ENDPOINT: /"endpoint":\{"id":"([^"]+)"/g,
  WEBHOOK_SECRET: /"secret":"(whsec_[^"]+)"/g,
  BOOKING: /"booking":\{"id":"([^"]+)"/g,
  CLOCK: /"test_clock":\{"id":"([^"]+)"/g,
  DELIVERY: /"delivery_id":"([^"]+)"/g,
}

const files: Record<string, string> = {
  typescript: `${process.execPath} sample.ts`,
  python: 'python3 sample.py',
}

/** A terminal in `folder`, into which a reader pastes. */
function openShell() {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const bash = spawn('bash', [], { cwd: folder, env: { PATH }, detached: true })
  let output = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let pasted = 0
  return {
    output: () => output,
    async paste(code: string) {
      const from = output.length
      pasted += 1
      bash.stdin.write(`${code}\necho "done ${pasted}"\n`)
      await eventually(`the end of ${code}`, async () => output.includes(`done ${pasted}\n`))
      if (code.includes('receiver.py &')) {
        await eventually('the receiver', async () => output.includes('listening on'))
      }
      return output.slice(from)
    },
    close: () => bash.pid && process.kill(-bash.pid, 'SIGTERM'),
  }
}

let answers = ''
let own: Record<string, string>
test.beforeAll(async ({ service }) => {
  const { accountId, key } = await makeKey(service.db, 'pro', scopes)
  const { key: testKey } = await openTestAgent(service.db, service.url, accountId)
  own = { KEY: key, TEST_KEY: testKey }
})

test.for(pages)('the samples of $path work as pasted', async ({ blocks }, { service }) => {
  const port = await choosePort()
  const shell = openShell()
  try {
    await shell.paste(`KEY=${own.KEY}`)
    for (const { language, code } of blocks) {
      const local = code
        .replaceAll('http://127.0.0.1:3000', service.url)
        .replaceAll('8090', `${port}`)
      const filled = local.replaceAll(/\b([A-Z_]+)=\S*…/g, (_, name: string) => {
        const newest = copied[name] && [...answers.matchAll(copied[name])].at(-1)?.[1]
        return `${name}=${newest ?? own[name]}`
      })
      if (language in files)
        writeFileSync(join(folder, files[language]?.split(' ')[1] ?? ''), filled)
      const answer = await shell.paste(files[language] ?? filled)
      expect(answer).not.toMatch(/"retryable":|command not found|Error|undefined/)
      answers += answer
    }
    if (shell.output().includes('challenged')) {
      await eventually('a verified event', async () =>
        /verified (booking|endpoint)\./.test(shell.output()),
      )
    }
  } finally {
    shell.close()
  }
})
