import { holdDataFolder } from '../../src/local/data-folder.ts'

// A program for tests: locks DATA_DIR until it is killed.
const folder = holdDataFolder(process.env.DATA_DIR ?? '')
folder.update({ postgresPort: 5001, databaseUrl: 'postgres://left-behind' })
console.log('held')
setInterval(() => {}, 60_000)
