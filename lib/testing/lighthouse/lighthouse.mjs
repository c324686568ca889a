// `npm run lighthouse`: bundles and runs the Lighthouse measurements.
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../../setup/bundle.mjs'
import { readArguments } from '../../setup/read-arguments.mjs'
import { withTemporary } from '../run/with-temporary.mjs'

const { values, positionals } = readArguments(
  'npm run lighthouse [-- page …] [--runs 3] [--skip-performance]',
  { runs: { type: 'string' }, 'skip-performance': { type: 'boolean' } },
  { words: ['board', 'agent', 'task', 'compare', 'episode'] },
)

// Playwright handles the signal only for its browser; exiting ends the server as well.
process.once('SIGTERM', () => process.exit(143))

const { main } = await import(
  pathToFileURL(await bundleEntry('lib/testing/lighthouse/run-lighthouse.ts')).href
)
process.exitCode = await withTemporary((folder) => {
  process.env.TMPDIR = folder
  return main(positionals, {
    runs: Math.max(1, Number.parseInt(values.runs ?? '3', 10) || 1),
    skipPerformance: values['skip-performance'] ?? false,
  })
})
