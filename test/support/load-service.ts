import '../../src/compose/start-api.ts'
import '../../src/compose/start-worker.ts'

// A program that loads what API and workers load, and so leaves it compiled for those after it.
process.exit(0)
