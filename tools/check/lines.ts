import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MAX_COLUMNS = 100
const MAX_LINES = 300

/**
 * Reports lines over 100 columns and files over 300 lines, one per line. Biome wraps code; this
 * finds the comments, strings and SQL that it leaves alone.
 */
export function overlong(): string {
  const files = execFileSync('git', ['ls-files', '*.ts'], { encoding: 'utf8' }).trim().split('\n')
  return files.flatMap(problemsOf).join('\n')
}

function problemsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const wide = lines.flatMap((line, index) =>
    line.length > MAX_COLUMNS ? [`${file}:${index + 1}: ${line.length} columns, over 100`] : [],
  )
  const tall = lines.length > MAX_LINES + 1
  return tall ? [...wide, `${file}: ${lines.length - 1} lines, over 300: split it`] : wide
}
