#!/usr/bin/env node
import { programOf } from './program.ts'
import { run } from './run.ts'
import { readSettings } from './settings.ts'
import { openTerminal } from './terminal/terminal.ts'

const settings = readSettings()
process.exitCode = await run(
  programOf(settings.program),
  process.argv.slice(2),
  settings,
  openTerminal(),
)
