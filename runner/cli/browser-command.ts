import type { Command } from 'commander'
import { ensureBrowser } from '#lib/setup/browser/ensure-browser.mjs'
import { SetupFailure } from '#lib/setup/setup-failure.mjs'
import { findChromium } from '../browser/find-chromium.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { PlaceError } from './cli-error.ts'
import { answer, answerJson } from './output.ts'

type Options = { install?: boolean; json?: boolean }

/** `proofboard browser`: the Chromium that workflows run in. */
export function addBrowserCommand(program: Command): void {
  program
    .command('browser')
    .description('path and version of the Chromium for browser workflows')
    .option(
      '--install',
      "install the distribution's package when there is none (as root, or with PROOFBOARD_INSTALL_BROWSER=1)",
    )
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(execute)
}

async function execute({ install, json }: Options): Promise<void> {
  if (install) await installed()
  const { path, version } = await findChromium(OWN_ENV)
  if (json) answerJson({ path, version })
  else answer(`${version}\n${path}`)
}

async function installed(): Promise<void> {
  try {
    await ensureBrowser()
  } catch (error) {
    if (error instanceof SetupFailure) throw new PlaceError(error.message)
    throw error
  }
}
