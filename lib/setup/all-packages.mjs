// @ts-check
// Imported before a command of package.json that needs more packages than `npm start` does: adds them where only those
// of the core are installed.
import { ensureInstalled } from './ensure-installed.mjs'
import { reportFailure } from './progress.mjs'

try {
  await ensureInstalled({ packages: 'all' })
} catch (error) {
  process.exit(reportFailure(error))
}
