// @ts-check
// Imported before commands of package.json that need more packages than `npm start`: installs them when only those of
// the core are installed.
import { ensureInstalled } from './ensure-installed.mjs'
import { reportFailure } from './progress.mjs'

try {
  await ensureInstalled({ packages: 'all' })
} catch (error) {
  process.exit(reportFailure(error))
}
