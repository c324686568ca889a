// @ts-check
// Imported before a command of package.json that needs more packages than `npm start` does: adds them where only those
// of the core are installed.
import { ensureInstalled } from './ensure-installed.mjs'
import { SetupFailure } from './progress.mjs'

try {
  await ensureInstalled({ packages: 'all' })
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error
  process.stderr.write(`${[error.output, error.message].filter(Boolean).join('\n')}\n`)
  process.exit(1)
}
