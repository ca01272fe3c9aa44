import module from 'node:module'

// Plain JavaScript, preloaded before any TypeScript: an old Node gets this text instead of ERR_UNKNOWN_FILE_EXTENSION.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 16)) {
  console.error(
    `This program runs on Node 24.16 or newer, and this is Node ${process.versions.node}.\n` +
      'The right one comes with the project: run `npm ci`, then start it through npm (`npm start`, `npm test`, …).\n' +
      'If npm skipped install scripts (--ignore-scripts), run `npm rebuild node` once.',
  )
  process.exit(1)
}

// Compiled code of earlier starts takes a third off the processor time of the next.
module.enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`)
