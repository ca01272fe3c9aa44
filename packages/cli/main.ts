#!/usr/bin/env node
import { commands } from './commands/commands.ts'
import { run } from './run.ts'
import { readSettings } from './settings.ts'
import { openTerminal } from './terminal/terminal.ts'

process.exitCode = await run(commands, process.argv.slice(2), readSettings(), openTerminal())
